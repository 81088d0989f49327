// SPDX-License-Identifier: Apache-2.0
#include "framework/base/utc_time.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/base/amounts.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

TEST(UtcTime, AMomentNamesItsZoneAndIsKeptInUtc) {
  for (const char* text : {"2026-12-01T08:00:00+01:00", "2026-12-01 08:00 +01:00", "2026-12-01T07:00Z",
                           "2026-12-01 07:00 UTC", "2026-12-01T02:00:00-0500", "2026-12-01T12:30+05:30"})
    EXPECT_EQ(*parse_moment(text), "2026-12-01T07:00:00Z") << text;
  EXPECT_EQ(*parse_moment("2026-12-31T23:59:59-01:00"), "2027-01-01T00:59:59Z") << "another year there";
  EXPECT_EQ(*parse_moment("2028-02-29T00:30+01:00"), "2028-02-28T23:30:00Z") << "a leap year";
}

TEST(UtcTime, WhatIsNoMomentOfAZoneIsRefused) {
  for (const char* text : {"",
                           "tomorrow",
                           "2026-12-01",
                           "2026-12-01T08:00",
                           "2026-12-01T08:00:00",
                           "2026-12-01T08:00 CET",
                           "2026-13-01T08:00Z",
                           "2026-02-29T08:00Z",
                           "2026-04-31T08:00Z",
                           "2026-12-01T24:00Z",
                           "2026-12-01T08:60Z",
                           "2026-12-01T08:00:61Z",
                           "2026-12-01T08:00+15:00",
                           "2026-12-01T08:00+01:60",
                           "2026-12-01T08:00Zulu",
                           "26-12-01T08:00Z",
                           "1999-12-31T08:00Z",
                           "2026-12-1T08:00Z",
                           " 2026-12-01T08:00Z",
                           "2026-12-01T08:00+",
                           "2026-12-01T+8:00Z"}) {
    const auto read = parse_moment(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::kInput);
    EXPECT_THAT(read.error().message, HasSubstr("expected a date and time with its zone")) << text;
  }
}

TEST(UtcTime, IsSaidWithItsZone) {
  EXPECT_EQ(moment_in_words("2026-12-01T07:00:00Z"), "2026-12-01 07:00 UTC");
  EXPECT_EQ(moment_in_words("2026-12-15T22:59:59Z"), "2026-12-15 22:59:59 UTC");
}

TEST(UtcTime, TextsStandInTheOrderOfTheirMoments) {
  const std::string now = moment_now();
  EXPECT_EQ(*parse_moment(now), now);
  EXPECT_LT(*parse_moment("2026-12-01T23:30-01:00"), *parse_moment("2026-12-02T00:31+00:00"));
  EXPECT_LT(iso_time(SystemTime{}), now);
}

}  // namespace
}  // namespace mash
