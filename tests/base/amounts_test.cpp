// SPDX-License-Identifier: Apache-2.0
#include "framework/base/amounts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mash {
namespace {

using std::chrono::seconds;

TEST(Amounts, ReadsAgesInTheirUnits) {
  EXPECT_EQ(*parse_age("0s"), seconds(0));
  EXPECT_EQ(*parse_age("90s"), seconds(90));
  EXPECT_EQ(*parse_age("15min"), seconds(900));
  EXPECT_EQ(*parse_age("12h"), seconds(43200));
  EXPECT_EQ(*parse_age("30d"), seconds(2592000));
  EXPECT_EQ(*parse_age("2w"), seconds(1209600));
}

TEST(Amounts, RefusesWhatIsNoAge) {
  for (const char* text : {"", "30", "d", "3m", "-1d", "1.5h", "30 d", "30days", "9223372036854775807w",
                           "99999999999999999999s", " 1d"}) {
    const auto age = parse_age(text);
    ASSERT_FALSE(age.ok()) << text;
    EXPECT_EQ(age.error().kind, ErrorKind::kInput);
    EXPECT_THAT(age.error().message, ::testing::AllOf(::testing::HasSubstr(fmt::format("'{}'", text)),
                                                      ::testing::HasSubstr("30d")));
  }
}

TEST(Amounts, SaysBytesInTheLargestUnitThatFits) {
  EXPECT_EQ(bytes_in_words(0), "0 B");
  EXPECT_EQ(bytes_in_words(1023), "1023 B");
  EXPECT_EQ(bytes_in_words(1024), "1.0 KiB");
  EXPECT_EQ(bytes_in_words(1536), "1.5 KiB");
  EXPECT_EQ(bytes_in_words(1024 * 1024 - 1), "1.0 MiB") << "not 1024.0 KiB";
  EXPECT_EQ(bytes_in_words(std::uint64_t(96) << 30), "96.0 GiB");
  EXPECT_EQ(bytes_in_words(~std::uint64_t(0)), "16.0 EiB");
}

TEST(Amounts, SaysAgesInWholeUnits) {
  EXPECT_EQ(age_in_words(seconds(-5)), "0 s") << "a clock that was set back";
  EXPECT_EQ(age_in_words(seconds(59)), "59 s");
  EXPECT_EQ(age_in_words(seconds(60)), "1 min");
  EXPECT_EQ(age_in_words(seconds(7199)), "1 h");
  EXPECT_EQ(age_in_words(seconds(24 * 3600)), "1 day");
  EXPECT_EQ(age_in_words(seconds(400 * 24 * 3600)), "400 days");
}

TEST(Amounts, WritesTimesInUtc) {
  EXPECT_EQ(iso_time(std::chrono::system_clock::from_time_t(0)), "1970-01-01T00:00:00Z");
  EXPECT_EQ(iso_time(std::chrono::system_clock::from_time_t(951782400)), "2000-02-29T00:00:00Z");
}

}  // namespace
}  // namespace mash
