// SPDX-License-Identifier: Apache-2.0
#include "framework/base/percent.hpp"

#include <gtest/gtest.h>

namespace mash {
namespace {

TEST(Percent, KeepsWhatMeansNothingInAnAddress) {
  EXPECT_EQ(percent_encoded("AZaz09-_.~"), "AZaz09-_.~");
  EXPECT_EQ(percent_encoded("mine/edges@1 %?&=#+"), "mine%2Fedges%401%20%25%3F%26%3D%23%2B");
  EXPECT_EQ(percent_encoded("\xC3\xA9\n"), "%C3%A9%0A");
  EXPECT_EQ(percent_encoded("a,b;c/d", ",;"), "a,b;c%2Fd");
  EXPECT_EQ(percent_encoded(""), "");
}

TEST(Percent, EveryByteComesBack) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += char(byte);
  EXPECT_EQ(percent_decoded(percent_encoded(bytes)), bytes);
  EXPECT_EQ(percent_decoded("%c3%A9+%2B"), "\xC3\xA9++");
}

TEST(Percent, NeedsTwoDigits) {
  for (const char* bad : {"%", "%4", "a%", "%G1", "%1G", "%-1", "% 1", "%%41"})
    EXPECT_FALSE(percent_decoded(bad)) << bad;
}

}  // namespace
}  // namespace mash
