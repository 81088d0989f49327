// SPDX-License-Identifier: Apache-2.0
#include "framework/base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/base/random.hpp"

namespace mash {
namespace {

// How far off, in units of the last place of the exact value.
double ulps(double found, long double exact) {
  const double rounded = double(exact);
  const double unit =
      std::nextafter(std::abs(rounded), std::numeric_limits<double>::infinity()) - std::abs(rounded);
  return double(std::abs((long double)(found)-exact) / unit);
}

constexpr int kProbes = 200000;

TEST(StableExp, IsWithinTwoUnits) {
  RandomStream stream(1, "test.exp");
  double worst = 0;
  for (const double range : {1e-9, 0.01, 1.0, 30.0, 700.0})
    for (int i = 0; i < kProbes; ++i) {
      const double x = stream.uniform(-range, range);
      worst = std::max(worst, ulps(stable_exp(x), std::exp((long double)(x))));
    }
  EXPECT_LE(worst, 2);
}

TEST(StableExp, HasExactPointsAndBorders) {
  EXPECT_EQ(stable_exp(0), 1);
  EXPECT_EQ(stable_exp(-0.0), 1);
  EXPECT_EQ(stable_exp(1e4), stable_exp(700));
  EXPECT_EQ(stable_exp(-1e300), stable_exp(-700));
  EXPECT_EQ(stable_exp(std::numeric_limits<double>::infinity()), stable_exp(700));
  EXPECT_GT(stable_exp(-700), 0);
  EXPECT_TRUE(std::isfinite(stable_exp(700)));
}

// Across steps much larger than the error of the approximation.
TEST(StableExp, Rises) {
  double before = 0;
  for (double x = -700; x <= 700; x += 0.001) {
    const double now = stable_exp(x);
    ASSERT_GT(now, before) << x;
    before = now;
  }
}

TEST(StableLog, IsWithinTwoUnits) {
  RandomStream stream(1, "test.log");
  double worst = 0;
  for (int i = 0; i < kProbes; ++i) {
    const double x = std::exp(stream.uniform(-700, 700));
    worst = std::max(worst, ulps(stable_log(x), std::log((long double)(x))));
    const double near_one = 1 + stream.uniform(-0.3, 0.3);
    worst = std::max(worst, ulps(stable_log(near_one), std::log((long double)(near_one))));
  }
  EXPECT_LE(worst, 2);
}

TEST(StableLog10, IsWithinThreeUnits) {
  RandomStream stream(1, "test.log10");
  double worst = 0;
  for (int i = 0; i < kProbes; ++i) {
    const double x = std::exp(stream.uniform(-700, 700));
    worst = std::max(worst, ulps(stable_log10(x), std::log10((long double)(x))));
  }
  EXPECT_LE(worst, 3);
  EXPECT_EQ(stable_log10(1), 0);
}

TEST(StableLogf, IsWithinTwoUnitsOfTheLargerOfOneAndItself) {
  RandomStream stream(1, "test.logf");
  double worst = 0;
  for (int i = 0; i < kProbes; ++i) {
    const auto x = float(std::exp(stream.uniform(-80, 80)));
    const double exact = std::log(double(x));
    worst = std::max(worst, std::abs(double(stable_logf(x)) - exact) / std::max(1.0, std::abs(exact)));
  }
  EXPECT_LE(worst, 2 * 0x1p-23);
  EXPECT_EQ(stable_logf(1), 0);
}

TEST(StableLog, HasExactPointsAndExtremes) {
  EXPECT_EQ(stable_log(1), 0);
  EXPECT_NEAR(stable_log(std::numeric_limits<double>::min()), std::log(std::numeric_limits<double>::min()),
              1e-12);
  EXPECT_NEAR(stable_log(std::numeric_limits<double>::max()), std::log(std::numeric_limits<double>::max()),
              1e-12);
}

TEST(StableLog, RisesAcrossPowersOfTwo) {
  double before = -1e9;
  for (double x = 1e-3; x < 1e3; x *= 1.00001) {
    const double now = stable_log(x);
    ASSERT_GT(now, before) << x;
    before = now;
  }
}

TEST(StableLog1pExp, IsWithinFourUnits) {
  RandomStream stream(1, "test.log1p");
  double worst = 0;
  for (const double range : {1.0, 40.0, 600.0})
    for (int i = 0; i < kProbes; ++i) {
      const double x = stream.uniform(-range, range);
      worst = std::max(worst, ulps(stable_log1p_exp(x), std::log1p(std::exp((long double)(x)))));
    }
  EXPECT_LE(worst, 4);
}

TEST(StableLog1pExp, NeitherOverflowsNorFallsBelowZero) {
  EXPECT_EQ(stable_log1p_exp(1e6), 1e6);
  EXPECT_GE(stable_log1p_exp(-1e6), 0);
  EXPECT_LT(stable_log1p_exp(-1e6), 1e-300);
  EXPECT_NEAR(stable_log1p_exp(0), std::log(2), 1e-15);
}

TEST(StableLog1pExp, RisesAcrossItsBranches) {
  double before = 0;
  for (double x = -40; x < 40; x += 0.001) {
    const double now = stable_log1p_exp(x);
    ASSERT_GT(now, before) << x;
    before = now;
  }
}

}  // namespace
}  // namespace mash
