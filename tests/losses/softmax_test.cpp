// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/softmax.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace mash {
namespace {

// F of one example.
SoftmaxOdds::Sums one_example(std::initializer_list<double> sums) {
  SoftmaxOdds::Sums classes;
  for (const double sum : sums) classes.push_back({sum});
  return classes;
}

std::vector<double> log_odds_of(const SoftmaxOdds::Sums& sums) {
  const Workers workers(1);
  const SoftmaxOdds softmax(sums, workers);
  std::vector<double> odds;
  for (std::size_t l = 0; l < sums.size(); ++l) odds.push_back(softmax.log_odds(l)[0]);
  return odds;
}

double loss_of(const SoftmaxOdds::Sums& sums, std::uint16_t label) {
  const Workers workers(1);
  return SoftmaxOdds(sums, workers).cross_entropy(std::vector{label}, {});
}

auto near(std::vector<double> expected, double most) {
  return ::testing::Pointwise(::testing::DoubleNear(most), expected);
}

TEST(Softmax, LogOddsAndLossOfThreeClasses) {
  const double a = std::exp(1), b = std::exp(-.5), c = std::exp(.25);
  const auto sums = one_example({1, -.5, .25});
  EXPECT_THAT(log_odds_of(sums),
              near({std::log(a / (b + c)), std::log(b / (a + c)), std::log(c / (a + b))}, 1e-14));
  EXPECT_NEAR(loss_of(sums, 0), -std::log(a / (a + b + c)), 1e-14);
  EXPECT_NEAR(loss_of(sums, 2), -std::log(c / (a + b + c)), 1e-14);
}

TEST(Softmax, TwoClassesHaveTheirDifference) {
  EXPECT_THAT(log_odds_of(one_example({2.5, 1})), near({1.5, -1.5}, 1e-14));
}

TEST(Softmax, AllAlikeHaveOneOfK) {
  for (const double odds : log_odds_of(one_example({7, 7, 7, 7, 7})))
    EXPECT_NEAR(odds, -std::log(4.0), 1e-14);
}

// 1 - p of the first is e^-50, far below what p can tell.
TEST(Softmax, KeepsWhatIsNearlyCertain) {
  EXPECT_THAT(log_odds_of(one_example({50, 0, -1000})), near({50, -50, -kMostLogOdds}, 1e-12));
  EXPECT_NEAR(loss_of(one_example({50, 0, -1000}), 0), std::exp(-50), 1e-34);
  EXPECT_EQ(log_odds_of(one_example({1e6, 0}))[0], kMostLogOdds);
}

TEST(Softmax, WhatSumsHaveInCommonTellsNothing) {
  EXPECT_THAT(log_odds_of(one_example({-4999, -5000.5, -4999.75})),
              near(log_odds_of(one_example({1, -.5, .25})), 1e-12));
}

// Log odds wait for a refresh, the loss does not.
TEST(Softmax, UpdatesOneClassAfterAnother) {
  const Workers workers(1);
  SoftmaxOdds::Sums sums{{0, 0}, {0, 0}, {0, 0}};
  SoftmaxOdds softmax(sums, workers);
  sums[1] = {2, -1};
  softmax.update(1);
  EXPECT_NEAR(softmax.log_odds(0)[0], -std::log(2.0), 1e-14);
  const std::vector<std::uint16_t> labels{1, 0};
  const double first = std::log1p(2 * std::exp(-2)), second = std::log(2 + std::exp(-1));
  EXPECT_NEAR(softmax.cross_entropy(labels, {}), (first + second) / 2, 1e-14);
  EXPECT_NEAR(softmax.cross_entropy(labels, std::vector<double>{0, 3}), second, 1e-14);
  softmax.refresh();
  EXPECT_NEAR(softmax.log_odds(0)[0], -std::log(1 + std::exp(2)), 1e-14);
  EXPECT_NEAR(softmax.log_odds(1)[1], -1 - std::log(2.0), 1e-14);
}

TEST(Softmax, WantsTwoClassesAndAllLabels) {
  const Workers workers(1);
  const auto one = one_example({1}), two = one_example({1, 2});
  EXPECT_THROW(SoftmaxOdds(one, workers), std::logic_error);
  const SoftmaxOdds softmax(two, workers);
  EXPECT_THROW((void)softmax.cross_entropy({}, {}), std::logic_error);
}

}  // namespace
}  // namespace mash
