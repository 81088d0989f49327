// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/exponential.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>

namespace mash {
namespace {

TEST(ExponentialStep, WorkedNumbers) {
  const auto expect = [](double edge, double alpha, double normaliser, double reward) {
    const ClosedStep step = exponential_loss().closed_step(edge, 1000);
    EXPECT_NEAR(step.alpha, alpha, 1e-6) << edge;
    EXPECT_NEAR(step.loss_factor, normaliser, 1e-6) << edge;
    EXPECT_NEAR(-std::log(step.loss_factor), reward, 1e-6) << edge;
  };
  expect(0.1, 0.100335, 0.994987, 0.005025);
  expect(0.5, 0.549306, 0.866025, 0.143841);
  expect(0.8, 1.098612, 0.6, 0.510826);
}

TEST(ExponentialStep, PerfectEdgeIsHeldAtItsCap) {
  EXPECT_NEAR(exponential_loss().closed_step(1, 4).alpha, 2.9945, 5e-5);
  EXPECT_NEAR(exponential_loss().closed_step(1, 1000).alpha, 5.7565, 5e-5);
  EXPECT_NEAR(exponential_loss().closed_step(1, 60000).alpha, 7.8036, 5e-5);
}

TEST(ExponentialStep, NormaliserBelowTheCapIsTheSumOfTheNewWeights) {
  // e = 1e-6 is below delta = 0.01/100.
  const double wrong = 1e-6, edge = 1 - 2 * wrong;
  const ClosedStep step = exponential_loss().closed_step(edge, 100);
  EXPECT_NEAR(step.alpha, 0.5 * std::log((1 - 1e-4) / 1e-4), 1e-12);
  EXPECT_NEAR(step.loss_factor, (1 - wrong) * std::exp(-step.alpha) + wrong * std::exp(step.alpha), 1e-12);
}

TEST(ExponentialStep, IsContinuousWhereTheCapBegins) {
  const double delta = 0.01 / 50, edge = 1 - 2 * delta;
  const ClosedStep below = exponential_loss().closed_step(edge - 1e-13, 50),
                   above = exponential_loss().closed_step(edge + 1e-13, 50);
  EXPECT_NEAR(below.alpha, above.alpha, 1e-8);
  EXPECT_NEAR(below.loss_factor, above.loss_factor, 1e-8);
}

TEST(ExponentialStep, NoEdgeChangesNothing) {
  const ClosedStep step = exponential_loss().closed_step(0, 10);
  EXPECT_EQ(step.alpha, 0);
  EXPECT_EQ(step.right, 1);
  EXPECT_EQ(step.wrong, 1);
  EXPECT_EQ(step.loss_factor, 1);
}

TEST(ExponentialStep, EdgeBeyondOneByRoundingIsPerfect) {
  const ClosedStep beyond = exponential_loss().closed_step(1 + 1e-15, 10),
                   perfect = exponential_loss().closed_step(1, 10);
  EXPECT_EQ(beyond.alpha, perfect.alpha);
  EXPECT_EQ(beyond.loss_factor, perfect.loss_factor);
}

// At any edge, the new weights of the right and the wrong examples sum to one.
RC_GTEST_PROP(ExponentialStep, NewWeightsSumToOne, (std::uint32_t numerator, std::uint16_t more_examples)) {
  const double edge = double(numerator) / 4294967295.0;
  const ClosedStep step = exponential_loss().closed_step(edge, 1 + std::size_t(more_examples));
  const double right = (1 + edge) / 2 * step.right, wrong = (1 - edge) / 2 * step.wrong;
  RC_ASSERT(std::abs(right + wrong - 1) < 1e-9);
  RC_ASSERT(std::abs(std::exp(2 * step.alpha) * step.right / step.wrong - 1) < 1e-12);
  RC_ASSERT(step.loss_factor <= 1 + 1e-15);
}

TEST(ClosedStep, WantsAnEdgeAndExamples) {
  EXPECT_THROW(exponential_loss().closed_step(-0.1, 10), std::logic_error);
  EXPECT_THROW(exponential_loss().closed_step(std::nan(""), 10), std::logic_error);
  EXPECT_THROW(exponential_loss().closed_step(0.1, 0), std::logic_error);
}

}  // namespace
}  // namespace mash
