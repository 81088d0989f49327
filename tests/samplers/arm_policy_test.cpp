// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/arm_policy.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "classifiers/samplers/bandit.hpp"
#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

ArmHistory history(std::initializer_list<double> rewards) {
  ArmHistory arm;
  for (const double reward : rewards) arm.add(reward);
  return arm;
}

TEST(ArmHistory, MeanAndPopulationVariance) {
  const ArmHistory arm = history({.02, .04, .03});
  EXPECT_DOUBLE_EQ(arm.mean, .03);
  EXPECT_NEAR(arm.variance(), 6.6667e-5, 1e-9);
  EXPECT_EQ(ArmHistory().variance(), 0);
}

TEST(UcbIndex, WorkedExample) {
  const auto index = [](double num_pulls, double mean) { return ucb_index({num_pulls, mean, 0}, 10); };
  EXPECT_NEAR(index(5, .02), .979705, 1e-6);
  EXPECT_NEAR(index(3, .03), 1.268974, 1e-6);
  EXPECT_NEAR(index(2, .01), 1.527427, 1e-6);
  EXPECT_NEAR(index(5, 1), 1.959705, 1e-6);
  EXPECT_NEAR(index(3, 1), 2.238974, 1e-6);
  EXPECT_NEAR(index(2, .64), 2.157427, 1e-6);
  EXPECT_EQ(ucb_index({}, 10), std::numeric_limits<double>::infinity());
}

TEST(UcbvIndex, WorkedExample) {
  EXPECT_NEAR(ucbv_index(history({.02, .04, .03}), 10), .807645, 1e-6);
  EXPECT_EQ(ucbv_index({}, 10), std::numeric_limits<double>::infinity());
}

TEST(ExplorationRate, WorkedExample) {
  EXPECT_DOUBLE_EQ(exploration_rate(1, 19, 100), .19);
  EXPECT_DOUBLE_EQ(exploration_rate(1, 19, 1000), .019);
  EXPECT_DOUBLE_EQ(exploration_rate(32, 19, 1000), .608);
  EXPECT_EQ(exploration_rate(1, 19, 1), 1);
}

TEST(BanditReward, IsTheLogOfTheLossFactorUpToOne) {
  EXPECT_NEAR(bandit_reward(.1, 1), .005025, 1e-6);
  EXPECT_NEAR(bandit_reward(.5, 1), .143841, 1e-6);
  EXPECT_NEAR(bandit_reward(.8, 1), .510826, 1e-6);
  EXPECT_NEAR(bandit_reward(.5, 4), 4 * .143841, 1e-5);
  EXPECT_EQ(bandit_reward(.5, 100), 1);
  EXPECT_EQ(bandit_reward(1, 1), 1);
  EXPECT_EQ(bandit_reward(0, 1), 0);
  const double cap = std::sqrt(1 - std::exp(-2.0));
  EXPECT_NEAR(cap, .929874, 1e-6);
  EXPECT_LT(bandit_reward(cap - 1e-6, 1), 1);
  EXPECT_EQ(bandit_reward(cap + 1e-6, 1), 1);
}

TEST(Exp3P, WorkedExample) {
  const Exp3P::Parameters parameters{.3, .15};
  Exp3P policy(3, 100, parameters);
  EXPECT_THAT(policy.state(), Pointwise(DoubleNear(1e-7), {.0866025, .0866025, .0866025}));
  EXPECT_THAT(policy.probabilities(), Pointwise(DoubleNear(1e-15), {1. / 3, 1. / 3, 1. / 3}));
  policy.reward(1, .05);
  EXPECT_THAT(policy.state(),
              Pointwise(DoubleNear(1e-6), {.0866025 + .000866, .0866025 + .003366, .0866025 + .000866}));
  EXPECT_THAT(policy.probabilities(), Pointwise(DoubleNear(1e-6), {.333097, .333806, .333097}));
  Exp3P other(3, 100, parameters);
  other.reward(1, 1);
  EXPECT_THAT(other.probabilities(), Pointwise(DoubleNear(1e-6), {.328572, .342855, .328572}));
}

TEST(Exp3P, ValuesOfTheory) {
  const auto small = Exp3P::theory(19, 1e4, .05), large = Exp3P::theory(33, 1e4, .05);
  EXPECT_NEAR(small.lambda, .115873, 1e-6);
  EXPECT_NEAR(small.eta, 7.784732, 1e-6);
  EXPECT_NEAR(large.lambda, .166410, 1e-6);
  EXPECT_NEAR(large.eta, 7.925296, 1e-6);
  EXPECT_EQ(Exp3P::theory(1, 100, .05).lambda, .6);
}

TEST(Exp3P, ChoosesByItsProbabilities) {
  Exp3P policy(3, 100, {.3, .15});
  for (int i = 0; i < 20; ++i) policy.reward(1, 1);
  const std::vector<double> p = policy.probabilities();
  constexpr int kChoices = 20000;
  std::vector<int> first(3), second_after_1(3);
  int num_first_1 = 0;
  for (std::uint64_t i = 0; i < kChoices; ++i) {
    const auto arms = policy.choose(2, {0, testing::random_ties(i)});
    ++first[arms[0]];
    if (arms[0] != 1) continue;
    ++num_first_1;
    ++second_after_1[arms[1]];
  }
  for (std::size_t j = 0; j < 3; ++j)
    EXPECT_NEAR(first[j], kChoices * p[j], 4 * std::sqrt(kChoices * p[j] * (1 - p[j]))) << j;
  const double share = p[0] / (p[0] + p[2]);
  EXPECT_NEAR(second_after_1[0], num_first_1 * share, 4 * std::sqrt(num_first_1 * share * (1 - share)));
}

RC_GTEST_PROP(Exp3P, ProbabilitiesSumToOneAndStayAboveTheUniformShare, ()) {
  const auto num_arms = *rc::gen::inRange<std::uint32_t>(1, 30);
  const double lambda = *rc::gen::inRange(1, 100) / 100.;
  Exp3P policy(num_arms, 1000, {*rc::gen::inRange(0, 1000) / 100., lambda});
  for (const auto& [arm, reward] : *rc::gen::container<std::vector<std::pair<std::uint32_t, int>>>(
           rc::gen::pair(rc::gen::inRange<std::uint32_t>(0, num_arms), rc::gen::inRange(0, 101))))
    policy.reward(arm, reward / 100.);
  double sum = 0;
  for (const double p : policy.probabilities()) {
    RC_ASSERT(p >= lambda / num_arms * (1 - 1e-12));
    sum += p;
  }
  RC_ASSERT(std::abs(sum - 1) < 1e-12);
}

// Every policy: a way to make one of num_arms arms.
using Make = std::unique_ptr<ArmPolicy> (*)(std::size_t num_arms);
class Policy : public ::testing::TestWithParam<Make> {
 protected:
  // Pulls one arm a time for some rounds; arm j pays its mean, more or less.
  std::vector<int> pulls(ArmPolicy& policy, const std::vector<double>& means, int num_rounds, int first = 0) {
    std::vector<int> counts(means.size());
    for (int round = first; round < first + num_rounds; ++round) {
      RandomStream stream(1, "test.policy", std::uint64_t(round));
      const auto arms = policy.choose(1, {stream.uniform(), testing::random_ties(std::uint64_t(round))});
      EXPECT_EQ(arms.size(), 1u);
      ++counts[arms[0]];
      policy.reward(arms[0], std::clamp(means[arms[0]] + stream.uniform(-.2, .2), 0., 1.));
    }
    return counts;
  }
};

TEST_P(Policy, FindsTheBestArm) {
  const auto policy = GetParam()(4);
  pulls(*policy, {.2, .2, .7, .3}, 3000);
  const auto counts = pulls(*policy, {.2, .2, .7, .3}, 1000, 3000);
  for (const int arm : {0, 1, 3}) EXPECT_GT(counts[2], 2 * counts[std::size_t(arm)]);
}

TEST_P(Policy, TriesEveryArm) {
  const auto policy = GetParam()(5);
  for (const int count : pulls(*policy, std::vector<double>(5, .5), 200)) EXPECT_GT(count, 0);
}

TEST_P(Policy, OneArmIsAlwaysChosen) {
  const auto policy = GetParam()(1);
  EXPECT_EQ(pulls(*policy, {.5}, 20)[0], 20);
}

TEST_P(Policy, SeveralArmsAreDistinctAndAtMostAll) {
  const auto policy = GetParam()(4);
  pulls(*policy, {.1, .2, .3, .4}, 10);
  for (std::size_t count = 1; count <= 6; ++count) {
    auto arms = policy->choose(count, {.5, testing::random_ties(count)});
    EXPECT_EQ(arms.size(), std::min<std::size_t>(count, 4));
    std::sort(arms.begin(), arms.end());
    EXPECT_EQ(std::adjacent_find(arms.begin(), arms.end()), arms.end());
  }
}

TEST_P(Policy, GoesOnTheSameFromItsState) {
  const std::vector<double> means{.1, .5, .2, .4};
  const auto whole = GetParam()(4), first = GetParam()(4), second = GetParam()(4);
  pulls(*whole, means, 57);
  pulls(*first, means, 57);
  second->restore(first->state());
  EXPECT_EQ(pulls(*second, means, 50, 57), pulls(*whole, means, 50, 57));
  EXPECT_EQ(second->state(), whole->state());
}

INSTANTIATE_TEST_SUITE_P(
    All, Policy,
    ::testing::Values(Make([](std::size_t n) { return make_ucb_policy(n); }),
                      Make([](std::size_t n) { return make_ucbv_policy(n); }),
                      Make([](std::size_t n) { return make_epsilon_greedy_policy(n, 5); }),
                      Make([](std::size_t n) -> std::unique_ptr<ArmPolicy> {
                        return std::make_unique<Exp3P>(n, 4000, Exp3P::Parameters{.3, .15});
                      })));

}  // namespace
}  // namespace mash
