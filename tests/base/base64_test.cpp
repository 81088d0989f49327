// SPDX-License-Identifier: Apache-2.0
#include "framework/base/base64.hpp"

#include <gtest/gtest.h>

#include "framework/base/random.hpp"

namespace mash {
namespace {

// RFC 4648, section 10.
TEST(Base64, HasTheTestVectors) {
  for (const auto& [bytes, text] :
       {std::pair("", ""), std::pair("f", "Zg=="), std::pair("fo", "Zm8="), std::pair("foo", "Zm9v"),
        std::pair("foob", "Zm9vYg=="), std::pair("fooba", "Zm9vYmE="), std::pair("foobar", "Zm9vYmFy")}) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(bytes_of_base64(text), bytes);
  }
}

TEST(Base64, ReadsBackAllBytes) {
  RandomStream stream(1, "base64");
  for (std::size_t size = 0; size < 300; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(char(stream.below(256)));
    EXPECT_EQ(bytes_of_base64(base64(bytes)), bytes);
  }
}

TEST(Base64, RefusesOtherTexts) {
  for (const char* text :
       {"Zg=", "Zg", "Z===", "====", "Zm9v\n", " Zm9", "Zm9\xff", "Zh==", "Zm=v", "Zg==Zg=="})
    EXPECT_FALSE(bytes_of_base64(text)) << text;
}

}  // namespace
}  // namespace mash
