// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/osboost.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/online/online_world.hpp"

namespace mash {
namespace {

using Votes = OsBoost::Votes;

std::vector<OnlineStump> constant_stumps(const std::vector<int>& answers) {
  std::vector<OnlineStump> stumps;
  for (const int answer : answers) stumps.emplace_back(FeatureStump{0, FeatureStump().threshold, answer});
  return stumps;
}

OsBoost booster_of(Votes votes, const std::vector<int>& answers) {
  OsBoost::Options options;
  options.votes = votes;
  return {options, constant_stumps(answers)};
}

TEST(OsBoost, WorkedNumbers) {
  EXPECT_NEAR(osboost_margin(0.1), 0.047619, 1e-6);
  double z = 0;
  std::vector<double> sums, weights;
  for (const int outcome : {1, 1, -1, -1, -1}) {
    weights.push_back(osboost_weight(z, 0.1));
    z += outcome - osboost_margin(0.1);
    sums.push_back(z);
  }
  const std::vector<double> expected_sums{0.952381, 1.904762, 0.857143, -0.190476, -1.238095},
      expected_weights{1, 0.951066, 0.904527, 0.955850, 1};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(sums[i], expected_sums[i], 1e-6);
    EXPECT_NEAR(weights[i], expected_weights[i], 1e-6);
  }
}

// The same through the booster: of a stump's numbers the ninth is the weight that its + examples had.
TEST(OsBoost, LearnersLearnWithTheseWeights) {
  OsBoost::Options options;
  options.learners = Learners::kUpdated;
  OsBoost booster(options, constant_stumps({1, 1, -1, -1, -1}));
  booster.learn(std::vector<float>(5), 1, 2);
  const auto numbers = booster.state();
  const std::vector<double> expected{1, 0.951066, 0.904527, 0.955850, 1};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(numbers[1 + 10 * i + 8], 2 * expected[i], 2e-6) << i;
}

TEST(OsBoost, UniformVotesAreTheMean) {
  const OsBoost booster = booster_of(Votes::kUniform, {1, 1, -1, 1});
  EXPECT_NEAR(booster.score(std::vector<float>(4)), 0.5, 1e-15);
}

// Two learners, one right and one wrong: the first prefix is right, the second tied, which is an error.
TEST(OsBoost, PrefixesThatErrAreHalved) {
  OsBoost booster = booster_of(Votes::kPrefixes, {1, -1});
  EXPECT_NEAR(booster.coefficients()[0], 0.75, 1e-12) << "(1 + 1/2) / 2";
  EXPECT_NEAR(booster.coefficients()[1], 0.25, 1e-12);
  booster.learn(std::vector<float>(2), 1, 1);
  EXPECT_NEAR(booster.coefficients()[0], (1 + 0.25) / 1.5, 1e-12);
  EXPECT_NEAR(booster.coefficients()[1], 0.25 / 1.5, 1e-12);
  booster.learn(std::vector<float>(2), 1, 2);  // an example of weight 2 is two examples
  EXPECT_NEAR(booster.coefficients()[0], (1 + 0.0625) / 1.125, 1e-12);
  for (int i = 0; i < 10'000; ++i) booster.learn(std::vector<float>(2), 1, 1);
  EXPECT_NEAR(booster.coefficients()[0], 1, 1e-12);
  for (int i = 0; i < 100; ++i) booster.learn(std::vector<float>(2), -1, 1);
  EXPECT_NEAR(booster.coefficients()[0], 1, 1e-12) << "both err";
}

TEST(OsBoost, SimplexFollowsTheSlope) {
  OsBoost booster = booster_of(Votes::kSimplex, {1, -1});
  EXPECT_EQ(booster.coefficients()[0], 0.5);
  booster.learn(std::vector<float>(2), 1, 1);  // (1/2 + 1, 1/2 - 1), projected
  EXPECT_NEAR(booster.coefficients()[0], 1, 1e-12);
  EXPECT_NEAR(booster.coefficients()[1], 0, 1e-12);
  const auto before = booster.coefficients()[0];
  booster.learn(std::vector<float>(2), 1, 1);  // the margin is above theta
  EXPECT_EQ(booster.coefficients()[0], before);
  booster.learn(std::vector<float>(2), -1, 0.1);  // a step of 0.1 / sqrt(3)
  EXPECT_NEAR(booster.coefficients()[0], 1 - 0.1 / std::sqrt(3.0), 1e-12);
}

TEST(OsBoost, CoefficientsAreSharesOfTheWhole) {
  for (const Votes votes : {Votes::kUniform, Votes::kPrefixes, Votes::kSimplex}) {
    OsBoost booster({0.1, Learners::kUpdated, votes}, testing::started_learners());
    for (const auto& example : testing::noisy_examples(300, 2, 1)) {
      testing::show(booster, example);
      double sum = 0;
      for (const double coefficient : booster.coefficients()) {
        ASSERT_GE(coefficient, 0);
        sum += coefficient;
      }
      ASSERT_NEAR(sum, 1, 1e-12);
    }
  }
}

TEST(OsBoost, WantsAGammaAndLearners) {
  EXPECT_THROW(osboost_weight(1, 0), std::logic_error);
  EXPECT_THROW(osboost_weight(1, 1), std::logic_error);
  EXPECT_THROW(OsBoost({0.1}, {}), std::logic_error);
  EXPECT_THROW(OsBoost({1.5}, constant_stumps({1})), std::logic_error);
}

RC_GTEST_PROP(OsBoost, NoWeightIsAboveOne, (std::int16_t thousandths)) {
  const double z = thousandths / 1000.0, weight = osboost_weight(z, 0.1);
  RC_ASSERT((weight > 0 && weight <= 1));
  RC_ASSERT((z > 0 || weight == 1));
}

TEST(ProjectToSimplex, WorkedNumbers) {
  const auto projected = [](std::vector<double> point) {
    project_to_simplex(point);
    return point;
  };
  EXPECT_EQ(projected({0.5, 0.5}), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(projected({2, 0}), (std::vector<double>{1, 0}));
  EXPECT_EQ(projected({-1, -1}), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(projected({-7}), (std::vector<double>{1}));
  EXPECT_EQ(projected({1, 0.75, -1}), (std::vector<double>{0.625, 0.375, 0}));
  std::vector<double> none;
  EXPECT_THROW(project_to_simplex(none), std::logic_error);
}

// The conditions of the closest point: on the simplex, with all positive numbers lowered by one amount and
// none of the others above it.
RC_GTEST_PROP(ProjectToSimplex, IsTheClosestPoint, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.simplex");
  std::vector<double> point(1 + stream.below(20));
  for (double& number : point) number = stream.uniform(-2, 2);
  const std::vector<double> before = point;
  project_to_simplex(point);
  double sum = 0, lowered = 0;
  for (std::size_t i = 0; i < point.size(); ++i) {
    RC_ASSERT(point[i] >= 0);
    sum += point[i];
    if (point[i] > 0) lowered = before[i] - point[i];
  }
  RC_ASSERT(std::abs(sum - 1) < 1e-12);
  for (std::size_t i = 0; i < point.size(); ++i)
    RC_ASSERT(
        (point[i] > 0 ? std::abs(before[i] - point[i] - lowered) < 1e-12 : before[i] <= lowered + 1e-12));
}

TEST(MakeOsBoost, EqualVotesWantLearnersThatLearn) {
  EXPECT_FALSE(testing::factory_of("osboost", {{"learners", "fixed"}}).ok());
  const auto factory = testing::factory_of("osboost", {});
  ASSERT_TRUE(factory.ok());
  EXPECT_TRUE((*factory)({1, 1, {OnlineStump(0)}}).ok());
}

TEST(MakeOsBoost, RefusesAGammaThatNobodyUses) {
  const auto factory = testing::factory_of("osboost.exp", {{"gamma", "0.2"}});
  ASSERT_FALSE(factory.ok());
  EXPECT_EQ(factory.error().message,
            "test.yaml:1: gamma is for the weights that base learners learn with; found it without learners: "
            "updated");
  EXPECT_TRUE(testing::factory_of("osboost.ocp", {{"gamma", "0.2"}}).ok()) << "theta depends on it";
}

TEST(MakeOsBoost, RefusesWhatIsOutOfRange) {
  for (const char* gamma : {"0", "1", "-0.1", "much"}) {
    const auto factory = testing::factory_of("osboost", {{"gamma", gamma}});
    ASSERT_FALSE(factory.ok());
    EXPECT_EQ(factory.error().message,
              fmt::format("test.yaml:1: gamma: found '{}', expected a number from 1e-06 to 0.999", gamma));
  }
  EXPECT_FALSE(testing::factory_of("osboost.exp", {{"learners", "none"}}).ok());
}

}  // namespace
}  // namespace mash
