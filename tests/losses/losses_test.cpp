// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "classifiers/losses/exponential.hpp"
#include "classifiers/losses/logistic.hpp"

namespace mash {
namespace {

constexpr std::size_t kMany = 1'000'000;

TEST(ExponentialStep, HasTheWorkedNumbers) {
  for (const auto& [edge, alpha, normaliser] :
       {std::tuple(0.1, 0.100335, 0.994987), std::tuple(0.5, 0.549306, 0.866025),
        std::tuple(0.8, 1.098612, 0.6)}) {
    const ExponentialStep step = exponential_step(edge, kMany);
    EXPECT_NEAR(step.alpha, alpha, 5e-7);
    EXPECT_NEAR(step.normaliser, normaliser, 5e-7);
    EXPECT_NEAR(step.exp_alpha, std::exp(step.alpha), 1e-14);
  }
}

TEST(ExponentialStep, HoldsAlphaAtAPerfectEdge) {
  for (const auto& [num_examples, cap] :
       {std::pair(4, 2.9945), std::pair(1000, 5.7565), std::pair(60000, 7.8036)}) {
    const ExponentialStep perfect = exponential_step(1, std::size_t(num_examples));
    EXPECT_NEAR(perfect.alpha, cap, 5e-5) << num_examples;
    // All weight is right, so the loss shrinks by e^-alpha.
    EXPECT_NEAR(perfect.normaliser, std::exp(-perfect.alpha), 1e-15);
    EXPECT_GT(perfect.normaliser, 0);
  }
}

TEST(ExponentialStep, IsContinuousWhereSmoothingBegins) {
  const double border = 1 - 2 * 0.01 / 1000;
  const ExponentialStep inside = exponential_step(border - 1e-12, 1000),
                        outside = exponential_step(border + 1e-12, 1000);
  EXPECT_NEAR(inside.alpha, outside.alpha, 1e-6);
  EXPECT_NEAR(inside.normaliser, outside.normaliser, 1e-6);
}

TEST(ExponentialStep, EdgeZeroChangesNothing) {
  const ExponentialStep step = exponential_step(0, 10);
  EXPECT_EQ(step.alpha, 0);
  EXPECT_EQ(step.normaliser, 1);
}

TEST(Logistic, WeighsByTheSlopeOfTheLoss) {
  EXPECT_NEAR(logistic_weight(-2), 0.880797, 5e-7);
  EXPECT_NEAR(logistic_weight(0), 0.5, 1e-15);
  EXPECT_NEAR(logistic_weight(2), 0.119203, 5e-7);
  for (const double margin : {-30.0, -1.0, 0.0, 0.7, 25.0}) {
    const double slope =
        (logistic_loss(margin + 1e-6) - logistic_loss(margin - 1e-6)) / 2e-6 * std::numbers::ln2;
    EXPECT_NEAR(-slope, logistic_weight(margin), 1e-7) << margin;
  }
}

TEST(Logistic, LossIsOneAtZeroAndFiniteFarOut) {
  EXPECT_NEAR(logistic_loss(0), 1, 1e-15);
  EXPECT_NEAR(logistic_loss(-1e6), 1e6 * std::numbers::log2e, 1e-3);
  EXPECT_GE(logistic_loss(1e6), 0);
  EXPECT_LT(logistic_loss(1e6), 1e-200);
}

// f = 0 and a quarter of the weight wrong: alpha = ln 3, the loss falls from ln 2 to 0.562335.
TEST(MinimiseConvex, FindsTheCoefficientOfAQuarterWrong) {
  const auto slope = [](double alpha) {
    const double right = logistic_weight(alpha), wrong = logistic_weight(-alpha);
    return Slope{-0.75 * right + 0.25 * wrong, 0.75 * right * (1 - right) + 0.25 * wrong * (1 - wrong)};
  };
  const double alpha = minimise_convex(slope, 1e-10);
  EXPECT_NEAR(alpha, std::log(3.0), 1e-8);
  const double loss = (0.75 * logistic_loss(alpha) + 0.25 * logistic_loss(-alpha)) * std::numbers::ln2;
  EXPECT_NEAR(loss, 0.562335, 5e-7);
}

TEST(MinimiseConvex, StaysWithinItsBounds) {
  EXPECT_EQ(minimise_convex([](double) { return Slope{1, 1}; }, 1e-10), 0) << "the loss rises from 0";
  EXPECT_EQ(minimise_convex(
                [](double alpha) {
                  return Slope{-logistic_weight(alpha), 0};
                },
                1e-10),
            10)
      << "it falls for ever";
}

TEST(MinimiseConvex, NeedsNoSecondDerivative) {
  const double alpha = minimise_convex([](double a) { return Slope{std::atan(a - 3.25), 0}; }, 1e-10);
  EXPECT_NEAR(alpha, 3.25, 1e-9);
}

}  // namespace
}  // namespace mash
