// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/selectors.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "tests/online/online_world.hpp"

namespace mash {
namespace {

using testing::noisy_examples;
using testing::show;

SelectorSettings settings_of(std::uint32_t num_selectors, std::uint32_t pool_size, bool shares_pool = false) {
  return {num_selectors, pool_size, shares_pool};
}

TEST(Selectors, PerfectFeatureEndsAnExampleAtTheFirstSelector) {
  SelectorBooster booster(settings_of(3, 1), 1, 1);
  for (int i = 0; i < 200; ++i) {
    const int sign = i % 3 == 0 ? 1 : -1;
    booster.learn(std::vector<float>(3, float(sign)), sign, 1);
    EXPECT_EQ(booster.pool().error(0), 0);
  }
  EXPECT_EQ(booster.pool().sums(0, 0).right, 200);
  EXPECT_EQ(booster.pool().sums(1, 0).right + booster.pool().sums(1, 0).wrong, 0) << "never reached";
  EXPECT_NEAR(booster.score(std::vector<float>(3, 1)), 0.5 * std::log((1 - 1e-6) / 1e-6), 1e-9);
  EXPECT_NEAR(booster.score(std::vector<float>(3, -1)), -0.5 * std::log((1 - 1e-6) / 1e-6), 1e-9);
}

TEST(Selectors, ErrorAboveAHalfEndsAnExampleToo) {
  SelectorBooster booster(settings_of(2, 1), 1, 1);
  const std::vector<float> nan(2, std::numeric_limits<float>::quiet_NaN());
  for (int i = 0; i < 10; ++i) booster.learn(nan, -1, 1);  // nothing to learn from: always +1
  EXPECT_EQ(booster.pool().error(0), 1);
  EXPECT_EQ(booster.pool().error(1), 0.5) << "never reached";
  EXPECT_EQ(booster.score(nan), 0);
}

TEST(Selectors, SumsOfAPoolOfOneNeverFall) {
  SelectorBooster booster(settings_of(10, 1), 1, 3);
  std::vector<ErrorSums> before(10);
  for (const auto& example : noisy_examples(1000, 3, 1)) {
    show(booster, example);
    for (std::uint32_t n = 0; n < 10; ++n) {
      const ErrorSums& sums = booster.pool().sums(n, 0);
      ASSERT_GE(sums.right, before[n].right);
      ASSERT_GE(sums.wrong, before[n].wrong);
      before[n] = sums;
    }
  }
  EXPECT_GT(before[9].right, 0);
}

// With one stump a selector there is nothing to choose or drop: the formulas, written down once more.
TEST(Selectors, PassImportanceOn) {
  SelectorBooster booster(settings_of(4, 1), 5, 3);
  std::vector<OnlineStump> stumps;
  for (const std::uint32_t feature : booster.features()) stumps.emplace_back(feature);
  std::vector<double> right(4), wrong(4);
  for (const auto& example : noisy_examples(500, 3, 2)) {
    show(booster, example);
    double lambda = 1;
    for (std::size_t n = 0; n < 4; ++n) {
      const float x = example.x[stumps[n].now().feature];
      stumps[n].learn(x, example.sign, lambda);
      const bool is_right = stumps[n].now().answer(x) == example.sign;
      (is_right ? right : wrong)[n] += lambda;
      const double e = wrong[n] / (right[n] + wrong[n]);
      if (e == 0 || e > 0.5) break;
      lambda = is_right ? lambda / (2 * (1 - e)) : lambda / (2 * e);
    }
  }
  double score = 0;
  const std::vector<float> x{0.4f, -0.3f, 2};
  for (std::uint32_t n = 0; n < 4; ++n) {
    const double e = wrong[n] / (right[n] + wrong[n]);
    EXPECT_EQ(booster.pool().error(n), e);
    score += std::max(0.0, 0.5 * std::log((1 - e) / e)) * stumps[n].now().answer(x[stumps[n].now().feature]);
  }
  EXPECT_NEAR(testing::score_of(booster, x), score, 1e-12);
}

TEST(Selectors, ChooseTheSmallestErrorAndDropTheLargest) {
  SelectorBooster booster(settings_of(1, 6), 1, 5);
  for (const auto& example : noisy_examples(300, 5, 3)) {
    const std::vector<std::uint32_t> before(booster.features().begin(), booster.features().end());
    show(booster, example, 0.7);  // so that no stump but a new one has the sums 1 and 1
    double smallest = 1;
    std::uint32_t num_new = 0;
    for (std::uint32_t member = 0; member < 6; ++member) {
      const ErrorSums& sums = booster.pool().sums(0, member);
      const bool is_new = sums.right == 1 && sums.wrong == 1;
      num_new += is_new;
      if (is_new) continue;
      smallest = std::min(smallest, sums.error());
      ASSERT_EQ(booster.features()[member], before[member]);
    }
    ASSERT_EQ(num_new, 1u);
    ASSERT_EQ(booster.pool().error(0), smallest);
  }
}

TEST(Selectors, OwnPoolsDropOneStumpEach) {
  SelectorBooster booster(settings_of(5, 4), 1, 1000);
  const auto examples = noisy_examples(200, 1000, 3);
  for (const auto& example : examples) {
    const std::vector<std::uint32_t> before(booster.features().begin(), booster.features().end());
    show(booster, example);
    int num_changed = 0;
    for (std::size_t i = 0; i < before.size(); ++i) num_changed += booster.features()[i] != before[i];
    ASSERT_LE(num_changed, 5);
    ASSERT_GE(num_changed, 1);
  }
}

TEST(Selectors, SharedPoolDropsOneStumpThatNobodyHasChosen) {
  SelectorBooster booster(settings_of(5, 8, true), 1, 1000);
  EXPECT_EQ(booster.features().size(), 8u);
  for (const auto& example : noisy_examples(200, 1000, 3)) {
    const std::vector<std::uint32_t> before(booster.features().begin(), booster.features().end());
    show(booster, example);
    int num_changed = 0;
    for (std::size_t i = 0; i < before.size(); ++i) num_changed += booster.features()[i] != before[i];
    ASSERT_EQ(num_changed, 1);
    for (std::uint32_t n = 0; n < 5; ++n) {
      const std::uint32_t feature = booster.pool().stump(n).feature;
      ASSERT_NE(std::find(before.begin(), before.end(), feature), before.end());
    }
  }
}

TEST(Selectors, SharedPoolOfWhichAllAreChosenDropsNone) {
  SelectorBooster booster(settings_of(3, 1, true), 1, 1000);
  const std::uint32_t feature = booster.features()[0];
  for (const auto& example : noisy_examples(20, 1000, 3)) show(booster, example);
  EXPECT_EQ(booster.features()[0], feature);
}

TEST(Selectors, FindTheFeatureThatMatters) {
  SelectorBooster booster(settings_of(5, 10), 1, 100);
  RandomStream stream(1, "test.find");
  for (int i = 0; i < 3000; ++i) {
    testing::SignedExample example{std::vector<float>(100), stream.uniform() < 0.5 ? 1 : -1};
    for (float& x : example.x) x = float(stream.normal());
    example.x[42] += 3 * float(example.sign);
    show(booster, example);
  }
  EXPECT_EQ(booster.pool().stump(0).feature, 42u);
  EXPECT_LT(booster.pool().error(0), 0.02);
}

TEST(Selectors, WantAPoolAndFeatures) {
  EXPECT_THROW(SelectorBooster(settings_of(1, 1), 1, 0), std::logic_error);
  EXPECT_THROW(SelectorBooster(settings_of(0, 1), 1, 1), std::logic_error);
  EXPECT_THROW(SelectorBooster(settings_of(1, 0), 1, 1), std::logic_error);
  SelectorBooster booster(settings_of(2, 1), 1, 1);
  EXPECT_THROW(booster.learn(std::vector<float>{1}, 1, 1), std::logic_error);
  EXPECT_THROW(booster.score(std::vector<float>{1}), std::logic_error);
}

TEST(MakeSelectors, RefusesWhatIsOutOfRange) {
  const auto factory = testing::factory_of("selectors", {{"selectors", "0"}});
  ASSERT_FALSE(factory.ok());
  EXPECT_EQ(factory.error().message,
            "test.yaml:1: selectors: found '0', expected a whole number from 1 to 65536");
  EXPECT_FALSE(testing::factory_of("selectors", {{"pool", "-3"}}).ok());
  EXPECT_FALSE(testing::factory_of("selectors", {{"pools", "private"}}).ok());
  const auto too_many = testing::factory_of("selectors", {{"selectors", "65536"}, {"pool", "65536"}});
  ASSERT_FALSE(too_many.ok());
  EXPECT_EQ(
      too_many.error().message,
      "test.yaml:1: pool: found 65536 selectors with 65536 stumps each, expected at most 4194304 stumps "
      "in all");
}

}  // namespace
}  // namespace mash
