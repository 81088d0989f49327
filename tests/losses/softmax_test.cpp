// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/softmax.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace mash {
namespace {

std::vector<double> log_odds_of(const std::vector<double>& sums) {
  std::vector<double> exps, others(sums.size()), odds;
  for (const double sum : sums) exps.push_back(stable_exp(sum));
  sums_of_others(exps, others);
  for (std::size_t l = 0; l < sums.size(); ++l) {
    EXPECT_NEAR(sum_of_others(exps, l), others[l], 1e-14 * others[l]);
    odds.push_back(log_odds(sums[l], others[l]));
  }
  return odds;
}

TEST(Softmax, LogOddsOfThreeClasses) {
  const double a = std::exp(1), b = std::exp(-.5), c = std::exp(.25);
  const auto odds = log_odds_of({1, -.5, .25});
  EXPECT_NEAR(odds[0], std::log(a / (b + c)), 1e-14);
  EXPECT_NEAR(odds[1], std::log(b / (a + c)), 1e-14);
  EXPECT_NEAR(odds[2], std::log(c / (a + b)), 1e-14);
}

TEST(Softmax, TwoClassesHaveTheirDifference) {
  EXPECT_THAT(log_odds_of({2.5, 1}), ::testing::Pointwise(::testing::DoubleNear(1e-14), {1.5, -1.5}));
}

TEST(Softmax, AllAlikeHaveOneOfK) {
  for (const double odds : log_odds_of(std::vector<double>(5, 7))) EXPECT_NEAR(odds, -std::log(4.0), 1e-14);
}

// 1 - p of the first is e^-50, far below what p can tell.
TEST(Softmax, LossIsOfTheProbability) {
  const std::vector<double> sums{1, -.5, .25};
  const double all = std::exp(1) + std::exp(-.5) + std::exp(.25);
  for (std::size_t l = 0; l < 3; ++l)
    EXPECT_NEAR(loss_of_log_odds(log_odds_of(sums)[l]), -std::log(std::exp(sums[l]) / all), 1e-14);
}

// 1 - p of the first is e^-50, far below what p can tell.
TEST(Softmax, KeepsWhatIsNearlyCertain) {
  const auto odds = log_odds_of({50, 0, -650});
  EXPECT_NEAR(odds[0], 50, 1e-12);
  EXPECT_NEAR(odds[1], -50, 1e-12);
  EXPECT_EQ(odds[2], -kMostLogOdds);
  EXPECT_NEAR(loss_of_log_odds(odds[0]), std::exp(-50), 1e-34);
  EXPECT_EQ(log_odds_of({1e6, 0})[0], kMostLogOdds);
}

}  // namespace
}  // namespace mash
