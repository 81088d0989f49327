// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/logistic.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace mash {
namespace {

TEST(LogisticWeight, WorkedNumbers) {
  EXPECT_NEAR(logistic_weight(-2), 0.880797, 1e-6);
  EXPECT_EQ(logistic_weight(0), 0.5);
  EXPECT_NEAR(logistic_weight(2), 0.119203, 1e-6);
}

TEST(LogisticWeight, IsFiniteForAnyMargin) {
  for (const double margin : {-1e308, -1e4, 1e4, 1e308}) {
    EXPECT_GE(logistic_weight(margin), 0);
    EXPECT_LE(logistic_weight(margin), 1);
    EXPECT_TRUE(std::isfinite(logistic_loss(margin)));
  }
  EXPECT_EQ(logistic_weight(-1e4), 1);
}

TEST(LogisticLoss, IsOneBitWithoutAMargin) {
  EXPECT_NEAR(logistic_loss(0), 1, 1e-15);
  EXPECT_NEAR(logistic_loss(-100), 100 * std::numbers::log2e, 1e-10);
  EXPECT_NEAR(logistic_loss(40), std::exp(-40) * std::numbers::log2e, 1e-30);
}

RC_GTEST_PROP(LogisticLoss, WeightIsItsSlope, (std::int16_t thousandths)) {
  const double margin = thousandths / 1000.0, step = 1e-5;
  const double slope =
      (logistic_loss(margin + step) - logistic_loss(margin - step)) / (2 * step) / std::numbers::log2e;
  RC_ASSERT(std::abs(-slope - logistic_weight(margin)) < 1e-8);
}

// All margins 0, a weighted error of a quarter.
Slope quarter_wrong(double alpha) {
  const auto slope = [alpha](double share, double agreement) {
    const double p = logistic_weight(alpha * agreement);
    return Slope{-share * agreement * p, share * p * (1 - p)};
  };
  const Slope right = slope(0.75, 1), wrong = slope(0.25, -1);
  return {right.first + wrong.first, right.second + wrong.second};
}

TEST(MinimiseConvex, WorkedExample) {
  const double alpha = minimise_convex(quarter_wrong, 1e-12);
  EXPECT_NEAR(alpha, std::log(3.0), 1e-9);
  const double loss = 0.75 * logistic_loss(alpha) + 0.25 * logistic_loss(-alpha);
  EXPECT_NEAR(loss * std::numbers::ln2, 0.562335, 1e-6);  // nats; 0.693147 before
}

TEST(MinimiseConvex, FirstNewtonStepsAreThoseOfTheExample) {
  double alpha = 0;
  for (const double expected : {1.0, 1.096339, 1.098611, 1.098612}) {
    const Slope here = quarter_wrong(alpha);
    alpha -= here.first / here.second;
    EXPECT_NEAR(alpha, expected, 1e-6);
  }
}

TEST(MinimiseConvex, RisingLossIsLeftAlone) {
  EXPECT_EQ(minimise_convex([](double alpha) { return Slope{alpha + 0.1, 1}; }, 1e-12), 0);
  EXPECT_EQ(minimise_convex([](double alpha) { return Slope{alpha, 1}; }, 1e-12), 0);
}

TEST(MinimiseConvex, LossThatKeepsFallingIsHeldAtTen) {
  EXPECT_EQ(minimise_convex(
                [](double alpha) {
                  return Slope{-std::exp(-alpha), std::exp(-alpha)};
                },
                1e-12),
            10);
  EXPECT_EQ(minimise_convex([](double) { return Slope{-1, 0}; }, 1e-12), 10);
}

// As late in training, when all that is left is light.
TEST(MinimiseConvex, SmallSlopesAreFollowedAllTheSame) {
  for (const double weight : {1e-9, 1e-11, 1e-100}) {
    const double alpha = minimise_convex(
        [&](double a) {
          const Slope slope = quarter_wrong(a);
          return Slope{weight * slope.first, weight * slope.second};
        },
        1e-10);
    EXPECT_NEAR(alpha, std::log(3.0), 1e-3) << weight;
  }
}

TEST(MinimiseConvex, FlatCurvatureFallsBackToBisection) {
  // |first| is 1 on both sides of 3.7, and the second derivative says nothing.
  const double alpha = minimise_convex([](double x) { return Slope{x < 3.7 ? -1.0 : 1.0, 0}; }, 1e-12);
  EXPECT_NEAR(alpha, 3.7, 1e-9);
}

RC_GTEST_PROP(MinimiseConvex, FindsTheMinimumOfAParabola, (std::uint16_t thousandths)) {
  const double minimum = thousandths / 1000.0;
  const double alpha = minimise_convex([&](double x) { return Slope{x - minimum, 1}; }, 1e-12);
  RC_ASSERT(std::abs(alpha - std::min(minimum, 10.0)) < 1e-9);
}

}  // namespace
}  // namespace mash
