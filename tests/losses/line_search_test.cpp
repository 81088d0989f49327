// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/line_search.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

namespace mash {
namespace {

double plain_logistic(double margin) { return std::log1p(std::exp(-margin)) / std::numbers::ln2; }
double weight(double margin) { return 1 / (1 + std::exp(margin)); }

// All margins 0, a weighted error of a quarter.
Slope quarter_wrong(double alpha) {
  const auto slope = [alpha](double share, double agreement) {
    const double p = weight(alpha * agreement);
    return Slope{-share * agreement * p, share * p * (1 - p)};
  };
  const Slope right = slope(0.75, 1), wrong = slope(0.25, -1);
  return {right.first + wrong.first, right.second + wrong.second};
}

TEST(LineSearch, WorkedExample) {
  const double alpha = line_search(quarter_wrong, 1e-12);
  EXPECT_NEAR(alpha, std::log(3.0), 1e-9);
  const double loss = 0.75 * plain_logistic(alpha) + 0.25 * plain_logistic(-alpha);
  EXPECT_NEAR(loss * std::numbers::ln2, 0.562335, 1e-6);  // nats; 0.693147 before
}

TEST(LineSearch, FirstNewtonStepsAreThoseOfTheExample) {
  double alpha = 0;
  for (const double expected : {1.0, 1.096339, 1.098611, 1.098612}) {
    const Slope here = quarter_wrong(alpha);
    alpha -= here.first / here.second;
    EXPECT_NEAR(alpha, expected, 1e-6);
  }
}

TEST(LineSearch, RisingLossIsLeftAlone) {
  EXPECT_EQ(line_search([](double alpha) { return Slope{alpha + 0.1, 1}; }, 1e-12), 0);
  EXPECT_EQ(line_search([](double alpha) { return Slope{alpha, 1}; }, 1e-12), 0);
}

TEST(LineSearch, LossThatKeepsFallingIsHeldAtTen) {
  EXPECT_EQ(line_search([](double alpha) { return Slope{-std::exp(-alpha), std::exp(-alpha)}; }, 1e-12), 10);
  EXPECT_EQ(line_search([](double) { return Slope{-1, 0}; }, 1e-12), 10);
}

// As late in training, when all that is left is light.
TEST(LineSearch, SmallSlopesAreFollowedAllTheSame) {
  for (const double weight : {1e-9, 1e-11, 1e-100}) {
    const double alpha = line_search(
        [&](double a) {
          const Slope slope = quarter_wrong(a);
          return Slope{weight * slope.first, weight * slope.second};
        },
        1e-10);
    EXPECT_NEAR(alpha, std::log(3.0), 1e-3) << weight;
  }
}

TEST(LineSearch, FlatCurvatureFallsBackToBisection) {
  // |first| is 1 on both sides of 3.7, and the second derivative says nothing.
  const double alpha = line_search([](double x) { return Slope{x < 3.7 ? -1.0 : 1.0, 0}; }, 1e-12);
  EXPECT_NEAR(alpha, 3.7, 1e-9);
}

RC_GTEST_PROP(LineSearch, FindsTheMinimumOfAParabola, (std::uint16_t thousandths)) {
  const double minimum = thousandths / 1000.0;
  const double alpha = line_search([&](double x) { return Slope{x - minimum, 1}; }, 1e-12);
  RC_ASSERT(std::abs(alpha - std::min(minimum, 10.0)) < 1e-9);
}

// Falls to a first minimum at 1, rises, and falls further beyond: the first crossing is what is found.
TEST(LineSearch, OfANonConvexLossEndsWhereItStopsFalling) {
  const auto slope = [](double a) {
    return Slope{(a - 1) * (a - 3) * (a - 5), (a - 3) * (a - 5) + (a - 1) * (a - 5) + (a - 1) * (a - 3)};
  };
  const double alpha = line_search(slope, 1e-12);
  EXPECT_NEAR(alpha, 1, 1e-9);
}

}  // namespace
}  // namespace mash
