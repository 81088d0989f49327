// SPDX-License-Identifier: Apache-2.0
#include "framework/render/svg.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace mash {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

std::vector<::testing::Matcher<double>> near(std::initializer_list<double> values) {
  std::vector<::testing::Matcher<double>> matchers;
  for (const double value : values) matchers.push_back(DoubleNear(value, 1e-12));
  return matchers;
}

TEST(AxisTicks, LinearOnesAreRound) {
  EXPECT_THAT(axis_ticks(0, 0.5, Scale::kLinear, 5), ElementsAreArray(near({0, 0.1, 0.2, 0.3, 0.4, 0.5})));
  EXPECT_THAT(axis_ticks(-7, 0, Scale::kLinear, 5), ElementsAreArray(near({-6, -4, -2, 0})));
}

TEST(AxisTicks, LogarithmicOnesAreOneTwoFive) {
  EXPECT_THAT(axis_ticks(1, 30, Scale::kLog), ElementsAreArray(near({1, 2, 5, 10, 20})));
}

TEST(AxisTicks, ManyDecadesHaveTheirPowersOnly) {
  EXPECT_THAT(axis_ticks(1, 1e5, Scale::kLog), ElementsAreArray(near({1, 10, 100, 1000, 1e4, 1e5})));
}

TEST(AxisTicks, OneValueIsItsOwnTick) {
  EXPECT_THAT(axis_ticks(3, 3, Scale::kLinear), ElementsAre(3));
  EXPECT_THAT(axis_ticks(3, 3, Scale::kLog), ElementsAre(3));
}

RC_GTEST_PROP(AxisTicks, LieWithinAndAreNeitherNoneNorTooMany, (int exponent, unsigned short width)) {
  const double low = std::pow(10, exponent % 12);
  const double high = low * (1 + 0.01 * (width + 1));
  const auto ticks = axis_ticks(low, high, Scale::kLinear, 5);
  RC_ASSERT(ticks.size() >= 2 && ticks.size() <= 7);
  for (const double tick : ticks) RC_ASSERT(tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
}

TEST(KeyOf, IsANameForMachines) {
  EXPECT_EQ(svg::key_of("share of cuts"), "share_of_cuts");
  EXPECT_EQ(svg::key_of("cost, µs a picture"), "cost_us_a_picture");
  EXPECT_EQ(svg::key_of("µs"), "us");
}

}  // namespace
}  // namespace mash
