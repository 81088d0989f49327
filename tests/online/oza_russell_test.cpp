// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/oza_russell.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/online/online_world.hpp"

namespace mash {
namespace {

using testing::booster_of;
using testing::noisy_examples;
using testing::show;
using Draws = OzaRussell::Draws;

// Stumps that answer these signs to any example.
std::vector<OnlineStump> voting_stumps(const std::vector<int>& answers) {
  std::vector<OnlineStump> stumps;
  for (const int answer : answers) stumps.emplace_back(FeatureStump{0, FeatureStump().threshold, answer});
  return stumps;
}

TEST(ErrorSums, WorkedNumbers) {
  ErrorSums a{3, 1}, b{2, 2}, c{6, 2};
  a.add(true, 1);
  EXPECT_NEAR(a.error(), 0.2, 1e-12);
  double lambda = passed_on(1, a.error(), true);
  EXPECT_NEAR(lambda, 0.625, 1e-12);
  b.add(false, lambda);
  EXPECT_NEAR(b.error(), 0.567568, 1e-6);
  lambda = passed_on(lambda, b.error(), false);
  EXPECT_NEAR(lambda, 0.550595, 1e-6);
  c.add(true, lambda);
  EXPECT_NEAR(c.error(), 0.233902, 1e-6);
  EXPECT_NEAR(passed_on(lambda, c.error(), true), 0.359350, 1e-6);
}

TEST(ErrorSums, NothingCountedIsAHalf) { EXPECT_EQ(ErrorSums().error(), 0.5); }

TEST(LogOddsOfRight, IsHeldAndNeverNegative) {
  EXPECT_NEAR(log_odds_of_right(0.25), std::log(3.0), 1e-12);
  EXPECT_NEAR(log_odds_of_right(0), std::log((1 - 1e-6) / 1e-6), 1e-9);
  EXPECT_EQ(log_odds_of_right(0.5), 0);
  EXPECT_EQ(log_odds_of_right(0.7), 0);
  EXPECT_EQ(log_odds_of_right(1), 0);
}

// The worked example again, through the booster: sums as given, answers right, wrong, right.
TEST(OzaRussell, WorkedNumbers) {
  OzaRussell booster(1, Learners::kFixed, Draws::kWeighted, voting_stumps({1, -1, 1}));
  auto numbers = booster.state();
  const std::vector<double> sums{3, 1, 2, 2, 6, 2};
  std::copy(sums.begin(), sums.end(), numbers.end() - 6);
  booster.restore(numbers);
  booster.learn(std::vector<float>{0, 0, 0}, 1, 1);
  EXPECT_NEAR(booster.sums()[0].right, 4, 1e-12);
  EXPECT_NEAR(booster.sums()[1].wrong, 2.625, 1e-12);
  EXPECT_NEAR(booster.sums()[2].right, 6.550595, 1e-6);
  const double score = std::log(0.8 / 0.2) + std::log((1 - 0.233902) / 0.233902);  // the second counts 0
  EXPECT_NEAR(booster.score(std::vector<float>{0, 0, 0}), score, 1e-5);
}

TEST(OzaRussell, SaysNothingBeforeTheFirstExample) {
  const OzaRussell booster(1, Learners::kFixed, Draws::kWeighted, voting_stumps({1, -1}));
  EXPECT_EQ(booster.score(std::vector<float>{0, 0}), 0);
}

TEST(OzaRussell, LearnerThatIsAlwaysWrongOrRightStaysFinite) {
  OzaRussell booster(1, Learners::kFixed, Draws::kWeighted, voting_stumps({1, -1, 1, -1}));
  for (int i = 0; i < 1000; ++i) booster.learn(std::vector<float>(4), 1, 1);
  EXPECT_NEAR(booster.score(std::vector<float>(4)), 2 * std::log((1 - 1e-6) / 1e-6), 1e-9);
  for (const ErrorSums& sums : booster.sums()) EXPECT_TRUE(std::isfinite(sums.right + sums.wrong));
}

TEST(OzaRussell, SumsNeverFall) {
  for (const Draws draws : {Draws::kWeighted, Draws::kPoisson}) {
    OzaRussell booster(1, Learners::kUpdated, draws, testing::started_learners());
    std::vector<ErrorSums> before(booster.sums().begin(), booster.sums().end());
    for (const auto& example : noisy_examples(500, 2, 1)) {
      show(booster, example);
      for (std::size_t m = 0; m < before.size(); ++m) {
        ASSERT_GE(booster.sums()[m].right, before[m].right);
        ASSERT_GE(booster.sums()[m].wrong, before[m].wrong);
      }
      before.assign(booster.sums().begin(), booster.sums().end());
    }
  }
}

TEST(OzaRussell, FixedLearnersStayAsTheyAre) {
  OzaRussell booster(1, Learners::kFixed, Draws::kWeighted, testing::started_learners());
  for (const auto& example : noisy_examples(300, 2, 1)) show(booster, example);
  const auto terms = booster.terms();
  for (std::size_t m = 0; m < terms.size(); ++m)
    EXPECT_EQ(terms[m].threshold, testing::started_learners()[m].now().threshold);
}

// With the importance that reaches it, the first learner is one that learns alone.
TEST(OzaRussell, FirstLearnerLearnsAsIfAlone) {
  OzaRussell booster(1, Learners::kUpdated, Draws::kWeighted, {OnlineStump(0), OnlineStump(1)});
  OnlineStump alone(0);
  for (const auto& example : noisy_examples(100, 2, 1)) {
    show(booster, example, 2);
    alone.learn(example.x[0], example.sign, 2);
  }
  EXPECT_EQ(booster.terms()[0].threshold, alone.now().threshold);
}

TEST(OzaRussell, PoissonDrawsAreThoseOfTheSeed) {
  std::vector<std::vector<double>> states;
  for (const std::uint64_t seed : {1u, 1u, 2u}) {
    OzaRussell booster(seed, Learners::kUpdated, Draws::kPoisson, {OnlineStump(0), OnlineStump(1)});
    for (const auto& example : noisy_examples(100, 2, 1)) show(booster, example);
    states.push_back(booster.state());
  }
  EXPECT_EQ(states[0], states[1]);
  EXPECT_NE(states[0], states[2]);
}

TEST(OzaRussell, ExampleWithoutWeightChangesNothing) {
  OzaRussell booster(1, Learners::kUpdated, Draws::kPoisson, {OnlineStump(0)});
  const auto before = booster.state();
  booster.learn(std::vector<float>{1}, 1, 0);
  EXPECT_EQ(booster.state(), before);
}

TEST(OzaRussell, WantsAsManyValuesAsFeatures) {
  OzaRussell booster(1, Learners::kUpdated, Draws::kWeighted, {OnlineStump(0)});
  EXPECT_THROW(booster.learn(std::vector<float>{1, 2}, 1, 1), std::logic_error);
  EXPECT_THROW(booster.score(std::vector<float>{}), std::logic_error);
  auto numbers = booster.state();
  numbers.push_back(0);
  EXPECT_THROW(booster.restore(numbers), std::logic_error);
}

TEST(DrawPoisson, HasItsMeanAndVariance) {
  for (const double mean : {0.1, 1.0, 5.0, 500.0}) {
    RandomStream stream(1, "test.poisson");
    const int count = 20'000;
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
      const double k = draw_poisson(mean, stream);
      sum += k;
      squares += (k - mean) * (k - mean);
    }
    EXPECT_NEAR(sum / count, mean, 5 * std::sqrt(mean / count));
    EXPECT_NEAR(squares / count, mean, 5 * std::sqrt((mean + 2 * mean * mean) / count));
  }
}

TEST(DrawPoisson, NoneAreExpectedNoneCome) {
  RandomStream stream(1, "test.poisson");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(draw_poisson(0, stream), 0u);
  EXPECT_THROW(draw_poisson(-1, stream), std::logic_error);
  EXPECT_THROW(draw_poisson(701, stream), std::logic_error);
}

TEST(MakeOzaRussell, RefusesDrawsOfLearnersThatAreFixed) {
  const auto factory = testing::factory_of("oza-russell", {{"draws", "poisson"}});
  ASSERT_FALSE(factory.ok());
  EXPECT_EQ(factory.error().message,
            "test.yaml:1: draws is for base learners that learn; found it without learners: updated");
}

TEST(MakeOzaRussell, RefusesUnknownWords) {
  EXPECT_FALSE(testing::factory_of("oza-russell", {{"learners", "both"}}).ok());
  EXPECT_FALSE(testing::factory_of("oza-russell", {{"learners", "updated"}, {"draws", "often"}}).ok());
  EXPECT_FALSE(testing::factory_of("oza-russell", {{"gamma", "0.1"}}).ok());
}

TEST(MakeOzaRussell, WantsLearnersWithAStartWhereTheyAreFixed) {
  const auto factory = testing::factory_of("oza-russell", {});
  ASSERT_TRUE(factory.ok());
  const auto refused = (*factory)({1, 2, {OnlineStump(1)}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kInput);
  EXPECT_EQ(refused.error().message,
            "oza-russell: found a base learner that knows nothing yet (on feature 1) beside learners: fixed, "
            "expected stumps that were learned before, or learners: updated");
  EXPECT_THROW((void)(*factory)({1, 2, {OnlineStump(FeatureStump{2, 0, 1})}}), std::logic_error);
}

}  // namespace
}  // namespace mash
