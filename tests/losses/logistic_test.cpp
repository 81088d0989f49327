// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/logistic.hpp"

#include <cmath>
#include <numbers>

#include "tests/losses/one_margin.hpp"

namespace mash {
namespace {

TEST(Logistic, WeightsOfTheExample) {
  EXPECT_NEAR(testing::weight_at(logistic_loss(), -2), 0.880797, 1e-6);
  EXPECT_EQ(testing::weight_at(logistic_loss(), 0), 0.5);
  EXPECT_NEAR(testing::weight_at(logistic_loss(), 2), 0.119203, 1e-6);
  EXPECT_EQ(testing::weight_at(logistic_loss(), -1e4), 1);
}

TEST(Logistic, LossFarOut) {
  EXPECT_NEAR(testing::value_at(logistic_loss(), -100), 100 * std::numbers::log2e, 1e-10);
  EXPECT_NEAR(testing::value_at(logistic_loss(), 40), std::exp(-40) * std::numbers::log2e, 1e-30);
}

TEST(Logistic, HasNoClosedStep) { EXPECT_THROW(logistic_loss().closed_step(0.5, 10), std::logic_error); }

}  // namespace
}  // namespace mash
