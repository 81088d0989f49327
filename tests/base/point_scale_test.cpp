// SPDX-License-Identifier: Apache-2.0
#include "framework/base/point_scale.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mash {
namespace {

using ::testing::HasSubstr;

TEST(PointScale, EachIntervalOfGainsHasItsPoints) {
  const PointScale scale = *PointScale::of_text("0=1, 2=3, 5=6.5");
  struct Row {
    double gain, points;
  };
  for (const auto& [gain, points] : {Row{-3, 0}, Row{-1e-9, 0}, Row{0, 1}, Row{1.99, 1}, Row{2, 3},
                                     Row{4.999, 3}, Row{5, 6.5}, Row{80, 6.5}})
    EXPECT_EQ(scale.points_of(gain), points) << gain;
}

TEST(PointScale, IsWrittenAsItIsRead) {
  EXPECT_EQ(PointScale::of_text("-1=0,0.50=1,  2=3")->text(), "-1=0, 0.5=1, 2=3");
  EXPECT_EQ(PointScale::of_text("-1=0, 0.5=1, 2=3")->text(), "-1=0, 0.5=1, 2=3");
  EXPECT_EQ(PointScale::of_text("1=2")->steps().size(), 1u);
}

TEST(PointScale, WhatIsNoneIsRefused) {
  for (const char* text : {"", "1", "1:2", "a=1", "1=b", "1=-1", "1=", "=1", "nan=1", "1=inf", "1=1e9"}) {
    const auto scale = PointScale::of_text(text);
    ASSERT_FALSE(scale.ok()) << text;
    EXPECT_THAT(scale.error().message, HasSubstr("such as 2=3")) << text;
  }
  EXPECT_EQ(PointScale::of_text("0=1, 0=2").error().message,
            "found '0=2' behind '0=1', expected a higher gain and no fewer points");
  EXPECT_EQ(PointScale::of_text("0=3, 1=2").error().message,
            "found '1=2' behind '0=3', expected a higher gain and no fewer points");
  std::string many = "0=0";
  for (int i = 1; i <= 50; ++i) many += fmt::format(", {0}={0}", i);
  EXPECT_THAT(PointScale::of_text(many).error().message, HasSubstr("found 51 steps"));
}

}  // namespace
}  // namespace mash
