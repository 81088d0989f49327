// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/gradient_boost.hpp"

#include <cmath>

#include "classifiers/losses/exponential.hpp"
#include "classifiers/losses/logistic.hpp"
#include "classifiers/losses/savage.hpp"
#include "tests/online/online_world.hpp"

namespace mash {
namespace {

TEST(GradientWeight, SavageWorkedNumbers) {
  for (const auto& [margin, weight] :
       {std::pair{-2.0, 0.069380}, {-0.5, 0.574939}, {0.0, 0.5}, {0.5, 0.211508}, {2.0, 0.001271}})
    EXPECT_NEAR(gradient_weight(savage_loss(), margin), weight, 1e-6) << margin;
}

// The slopes of the losses as Leistner et al. write them: ln(1+e^-m), e^-m, 1/(1+e^2m)^2.
TEST(GradientWeight, IsTheSlopeOfThePublishedLoss) {
  const auto check = [](const Loss& loss, double (*published)(double)) {
    for (const double m : {-3.0, -1.0, 0.0, 0.4, 2.5}) {
      const double slope = (published(m + 1e-6) - published(m - 1e-6)) / 2e-6;
      EXPECT_NEAR(gradient_weight(loss, m), -slope, 1e-8) << m;
    }
  };
  check(exponential_loss(), [](double m) { return std::exp(-m); });
  check(logistic_loss(), [](double m) { return std::log1p(std::exp(-m)); });
  check(savage_loss(), [](double m) { return 1 / std::pow(1 + std::exp(2 * m), 2); });
}

TEST(GradientWeight, IsHeld) {
  EXPECT_EQ(gradient_weight(exponential_loss(), -500), 1e100);
  EXPECT_NEAR(gradient_weight(exponential_loss(), -200), std::exp(200), 1e-12 * std::exp(200));
}

// The first example leaves the first selector with the margin 1: it enters the second with the weight there.
TEST(GradientBoost, SecondSelectorHasTheWeightAtTheMarginOfTheFirst) {
  const auto check = [](const Loss& loss, double first, double second) {
    GradientBooster booster({2, 1, false}, loss, 1, 1);
    booster.learn(std::vector<float>{3, 3}, -1, 1);
    const auto numbers = booster.state();  // the sums come after the count and ten numbers of each stump
    EXPECT_NEAR(numbers[21], first, 1e-6);
    EXPECT_NEAR(numbers[23], second, 1e-6);
    EXPECT_EQ(booster.score(std::vector<float>{3, 3}), -2);
  };
  check(exponential_loss(), 1, 0.367879);
  check(logistic_loss(), 0.5, 0.268941);
  check(savage_loss(), 0.5, 0.050063);
}

TEST(GradientBoost, TermsMayHaveSidesOfTheSameSign) {
  GradientBooster booster({1, 1, false}, logistic_loss(), 1, 1);
  RandomStream stream(1, "test.rare");
  for (int i = 0; i < 500; ++i) {
    const int sign = stream.uniform() < 0.05 ? 1 : -1;
    booster.learn(std::vector<float>{float(stream.normal()) + float(sign)}, sign, 1);
  }
  const auto terms = booster.terms();
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_LT(terms[0].below, terms[0].above);
  EXPECT_LT(terms[0].above, 0) << "+ is rare on both sides";
}

TEST(GradientBoost, StaysFiniteWhereExamplesContradictEachOther) {
  for (const Loss* loss : {&exponential_loss(), &logistic_loss(), &savage_loss()}) {
    GradientBooster booster({300, 2, false}, *loss, 1, 1);
    RandomStream stream(1, "test.flip");
    for (int i = 0; i < 2000; ++i) {
      const int sign = stream.uniform() < 0.5 ? 1 : -1;
      const std::vector<float> values(600, float(i % 10 == 9 ? -sign : sign));
      booster.learn(values, sign, 1);
      ASSERT_TRUE(std::isfinite(booster.score(values)));
    }
    for (const double number : booster.state())
      ASSERT_TRUE(std::isfinite(number) || number == -std::numeric_limits<double>::infinity());
  }
}

TEST(GradientBoost, WantsAsManyValuesAsFeatures) {
  GradientBooster booster({2, 1, false}, savage_loss(), 1, 1);
  EXPECT_THROW(booster.learn(std::vector<float>{1}, 1, 1), std::logic_error);
  EXPECT_THROW(booster.score(std::vector<float>{1}), std::logic_error);
}

TEST(MakeGradientBoost, RefusesUnknownLosses) {
  const auto factory = testing::factory_of("online-gradientboost", {{"loss", "nonesuch"}});
  ASSERT_FALSE(factory.ok());
  EXPECT_EQ(factory.error().message,
            "test.yaml:1: loss: found 'nonesuch', expected one of logistic, exponential, savage");
  EXPECT_FALSE(testing::factory_of("online-gradientboost", {{"gamma", "0.1"}}).ok());
}

}  // namespace
}  // namespace mash
