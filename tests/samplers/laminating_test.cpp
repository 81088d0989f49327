// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/laminating.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "classifiers/samplers/full.hpp"
#include "tests/samplers/sampler_world.hpp"
#include "tests/support/heard_remarks.hpp"

namespace mash {
namespace {

using testing::SamplerWorld;

// The cost of passes that keep the examples of those before.
std::uint64_t nested_cost(const LaminatingSize& size, std::uint64_t num_train) {
  return laminating_cost(size, num_train, Passes::kNested);
}

LaminatingSize automatic(std::uint64_t num_features, std::uint64_t num_train) {
  return laminating_size({}, num_features, num_train, 10 * double(num_train));
}

TEST(LaminatingCost, WorkedNumbers) {
  EXPECT_EQ(laminating_cost({8, 100}, 60000), 2400u);
  EXPECT_EQ(laminating_cost({5, 100}, 60000), 1900u);
  EXPECT_EQ(laminating_cost({8, 100}, 250), 2100u);
  EXPECT_EQ(laminating_cost({1000, 60}, 60000), 607680u);
  EXPECT_EQ(laminating_cost({512, 130}, 60000), 599040u);
  EXPECT_EQ(laminating_cost({32, 3750}, 60000), 600000u);
  EXPECT_EQ(laminating_cost({1, 100}, 60000), 0u) << "one candidate needs no example";
  EXPECT_EQ(laminating_cost({16, 900}, 900), 16u * 900) << "a pass on all examples is the last";
}

TEST(LaminatingCost, NestedPassesPayForWhatIsNew) {
  EXPECT_EQ(nested_cost({8, 100}, 60000), 8 * 100 + 4 * 200 + 2 * 400u);
  EXPECT_EQ(nested_cost({8, 100}, 250), 8 * 100 + 4 * 150u) << "the second pass has all examples";
  EXPECT_EQ(nested_cost({8, 100}, 300), 8 * 100 + 4 * 200u);
  EXPECT_EQ(nested_cost({16, 900}, 900), 16u * 900);
  EXPECT_EQ(nested_cost({1, 100}, 60000), 0u);
}

TEST(LaminatingSizes, NestedPassesSpendTheBudget) {
  const auto size = [](std::uint64_t num_features, std::uint64_t num_train) {
    return laminating_size({}, num_features, num_train, 10 * double(num_train), Passes::kNested);
  };
  EXPECT_EQ(size(19233, 60000).num_features, 1024u);
  EXPECT_EQ(size(23781, 4000).num_features, 64u);
  for (const std::uint64_t num_train : {100, 1000, 4000, 60000}) {
    const LaminatingSize chosen = size(20000, num_train);
    EXPECT_LE(nested_cost(chosen, num_train), 10 * num_train);
    if (chosen.num_examples < num_train) {
      EXPECT_GT(nested_cost({chosen.num_features, chosen.num_examples + 1}, num_train), 10 * num_train);
    }
  }
}

TEST(LaminatingSizes, ChosenForTheDataSetsOfThePaper) {
  const auto expect = [](LaminatingSize size, std::uint64_t num_features, std::uint64_t num_examples) {
    EXPECT_EQ(size.num_features, num_features);
    EXPECT_EQ(size.num_examples, num_examples);
  };
  expect(automatic(16775, 60000), 512, 130);
  expect(automatic(29879, 50000), 512, 108);
  expect(automatic(230503, 14608), 256, 71);
  expect(automatic(360630, 1515), 32, 94);
}

RC_GTEST_PROP(LaminatingSizes, AreTheLargestWithinTheBudget, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.size");
  const std::uint64_t num_features = 2 + stream.below(100000), num_train = 100 + stream.below(100000);
  const double budget = double(num_train) * (1 + double(stream.below(20)));
  const LaminatingSize size = laminating_size({}, num_features, num_train, budget);
  RC_ASSERT(size.num_features <= num_features);
  RC_ASSERT(double(laminating_cost(size, num_train)) <= budget);
  if (size.num_examples < num_train)
    RC_ASSERT(double(laminating_cost({size.num_features, size.num_examples + 1}, num_train)) > budget);
}

TEST(LaminatingSizes, FixedOnesAreKept) {
  EXPECT_EQ(laminating_size({64, 0}, 1000, 60000, 600000).num_features, 64u);
  EXPECT_EQ(laminating_size({0, 500}, 100000, 60000, 600000).num_examples, 500u);
  const LaminatingSize both = laminating_size({100, 7}, 1000, 60000, 600000);
  EXPECT_EQ(both.num_features, 100u);
  EXPECT_EQ(both.num_examples, 7u);
  EXPECT_EQ(laminating_size({5000, 7}, 1000, 60000, 600000).num_features, 1000u) << "no more than there are";
}

TEST(LaminatingSizes, OneFeatureIsTakenAsItIs) {
  EXPECT_EQ(laminating_size({}, 1, 50, 500).num_features, 1u);
}

// All draws give the one example that has weight, so that a pass costs its number of candidates.
TEST(Laminating, HasAPassForEveryHalving) {
  for (const auto& [num_features, cost] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {1, 0}, {2, 2}, {3, 3 + 2}, {5, 5 + 3 + 2}, {8, 8 + 4 + 2}, {9, 9 + 5 + 3 + 2}}) {
    SamplerWorld w(1000, {60});
    std::fill(w.weights.all().begin(), w.weights.all().end(), 0.0);
    w.weights.row(17)[0] = 1;
    w.weights.update_example_weights(Workers(1));
    LaminatingSampler sampler({num_features, 2}, 10, false);
    ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
    w.propose(sampler, 1);
    EXPECT_EQ(w.scan.ledger().meters().fe, cost) << num_features;
  }
}

// Once a training, for any number of rounds; not where the examples are the user's own choice.
TEST(Laminating, WarnsWhereOneExampleEachIsBeyondTheBudget) {
  const auto warnings = [](LaminatingSize wanted, double budget) {
    SamplerWorld w(100, {60});
    testing::HeardRemarks remarks;
    LaminatingSampler sampler(wanted, budget, false);
    EXPECT_TRUE(sampler.start(w.scan, {1, 100, remarks}).ok());
    for (const std::uint32_t round : {1u, 2u}) w.propose(sampler, round);
    return remarks.warnings;
  };
  EXPECT_THAT(warnings({60, 0}, 0.5),
              ::testing::ElementsAre("60 candidates on one example each are more than the budget of 50 "
                                     "evaluations a round: a round costs 3.72 N in place of 0.5 N (N: 100 "
                                     "training examples)"));
  EXPECT_THAT(warnings({60, 0}, 10), ::testing::IsEmpty());
  EXPECT_THAT(warnings({60, 1}, 0.5), ::testing::IsEmpty());
}

class LaminatingOf : public ::testing::TestWithParam<Passes> {};
INSTANTIATE_TEST_SUITE_P(Passes, LaminatingOf, ::testing::Values(Passes::kFresh, Passes::kNested),
                         [](const auto& info) { return info.param == Passes::kFresh ? "fresh" : "nested"; });

TEST_P(LaminatingOf, WithAllFeaturesOnAllExamplesIsFullSearch) {
  SamplerWorld w(200, {30, 17, 50});
  LaminatingSampler laminating({97, 200}, 10, false, GetParam());
  ASSERT_TRUE(laminating.start(w.scan, {1, 100}).ok());
  FullSampler full;
  RandomStream stream(1, "test.weights");
  for (std::uint32_t round = 1; round <= 20; ++round) {
    ASSERT_EQ(w.propose(laminating, round), w.propose(full, round));
    for (double& g : w.weights.all()) g *= std::exp(stream.normal());
    w.weights.normalise(w.world.workers);
  }
}

TEST(Laminating, NestedPassesCostWhatIsReckonedToTheLastEvaluation) {
  for (const auto& [num_features, num_examples, num_train] : std::vector<std::array<std::uint64_t, 3>>{
           {8, 100, 5000}, {13, 7, 300}, {100, 200, 900}, {2, 10, 11}}) {
    SamplerWorld w(num_train, {100, 50});
    LaminatingSampler sampler({num_features, num_examples}, 10, false, Passes::kNested);
    ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
    w.propose(sampler, 1);
    EXPECT_EQ(w.scan.ledger().meters().fe, nested_cost({num_features, num_examples}, num_train));
  }
}

TEST_P(LaminatingOf, MeteredCostIsWithinTheBudgetEveryRound) {
  for (const std::size_t num_train : {10, 64, 100, 1000, 3000}) {
    SamplerWorld w(num_train, {100, 50});
    LaminatingSampler sampler({}, 10, false, GetParam());
    ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
    std::uint64_t before = 0;
    for (std::uint32_t round = 1; round <= 5; ++round) {
      w.propose(sampler, round);
      EXPECT_LE(w.scan.ledger().meters().fe - before, 10 * num_train);
      EXPECT_GT(w.scan.ledger().meters().fe, before);
      before = w.scan.ledger().meters().fe;
    }
  }
}

TEST(Laminating, CountsDistinctExamplesOfEachPass) {
  SamplerWorld w(5000, {64});
  LaminatingSampler sampler({8, 100}, 10, false);
  ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
  w.propose(sampler, 1);
  EXPECT_LE(w.scan.ledger().meters().fe, laminating_cost({8, 100}, 5000));
  EXPECT_GT(w.scan.ledger().meters().fe, laminating_cost({8, 100}, 5000) * 9 / 10)
      << "few of 5000 are drawn twice";
}

TEST(Laminating, BalancedDrawsAsManyOfEveryFamily) {
  SamplerWorld w(300, {10, 300, 40});
  LaminatingSampler sampler({24, 20}, 10, true);
  ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
  for (std::uint32_t round = 1; round <= 10; ++round) {
    w.propose(sampler, round);
    EXPECT_EQ(w.offered(), (std::vector<std::uint64_t>{8, 8, 8}));
  }
}

TEST(Laminating, BalancedTakesASmallFamilyWhole) {
  SamplerWorld w(300, {2, 300});
  LaminatingSampler sampler({24, 20}, 10, true);
  ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
  for (std::uint32_t round = 1; round <= 10; ++round) {
    w.propose(sampler, round);
    const auto offered = w.offered();
    EXPECT_EQ(offered[0], 2u);
    EXPECT_GE(offered[1], 12u);
    EXPECT_LE(offered[1], 22u) << "no more than are wanted in all";
  }
}

TEST(Laminating, OffersEveryCandidateOnce) {
  SamplerWorld w(300, {50, 50});
  LaminatingSampler sampler({32, 20}, 10, false);
  ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
  w.propose(sampler, 1);
  const auto offered = w.offered();
  EXPECT_EQ(offered[0] + offered[1], 32u);
}

// 64 features that agree with the label of an example as often as their edge says. The edges are about .3,
// and not about 0, so that a feature is never taken for its opposite.
struct Tournament {
  static constexpr std::uint32_t kFeatures = 64, kExamples = 20000;
  Tournament() {
    RandomStream stream(3, "test.edges");
    std::vector<double> edges(kFeatures);
    for (double& edge : edges) edge = 0.3 + 0.05 * stream.normal();
    std::vector<std::uint16_t> labels(kExamples);
    for (std::uint32_t n = 0; n < kExamples; ++n) labels[n] = n % 2;
    std::vector<std::vector<float>> columns(kFeatures, std::vector<float>(kExamples));
    for (std::uint32_t j = 0; j < kFeatures; ++j)
      for (std::uint32_t n = 0; n < kExamples; ++n)
        columns[j][n] = float(stream.uniform() < (1 + edges[j]) / 2 ? labels[n] : 1 - labels[n]);
    const auto value = [columns](std::uint32_t n, std::uint32_t j) { return columns[j][n]; };
    w = std::make_unique<SamplerWorld>(std::vector<testing::FakeFamily>{{"bits", kFeatures, value}}, labels);
    for (std::uint32_t j = 0; j < kFeatures; ++j) true_edges.push_back(w->scan.refit(j).edge);
  }
  // How much less than the best edge the choice has, on average.
  double mean_regret(std::uint64_t num_examples, Passes passes = Passes::kFresh) {
    LaminatingSampler sampler({kFeatures, num_examples}, 10, false, passes);
    EXPECT_TRUE(sampler.start(w->scan, {1, 100}).ok());
    const double best = *std::max_element(true_edges.begin(), true_edges.end());
    double regret = 0;
    constexpr std::uint32_t kRounds = 1000;
    for (std::uint32_t round = 1; round <= kRounds; ++round)
      regret += best - true_edges[w->propose(sampler, round)];
    return regret / kRounds;
  }
  std::unique_ptr<SamplerWorld> w;
  std::vector<double> true_edges;
};

TEST(Laminating, RegretFallsWithTheNumberOfExamples) {
  Tournament tournament;
  const double of_10 = tournament.mean_regret(10), of_100 = tournament.mean_regret(100),
               of_1000 = tournament.mean_regret(1000);
  EXPECT_LT(of_100, of_10);
  EXPECT_LT(of_1000, of_100);
  EXPECT_LT(of_100, 0.01);
  EXPECT_LT(of_1000, 0.002);
  for (const std::uint64_t num_examples : {10, 100})
    EXPECT_LT(tournament.mean_regret(num_examples, Passes::kNested),
              0.9 * tournament.mean_regret(num_examples))
        << "at the same cost";
}

TEST(Laminating, RefusesWrongSettings) {
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"features", "0"},
                                                        {"features", "all"},
                                                        {"examples", "-3"},
                                                        {"budget", "0"},
                                                        {"budget", "ten"},
                                                        {"family_balanced", "yes"}}) {
    Settings settings;
    settings.add(key, value, "test.yaml:7");
    const auto sampler = make_laminating(settings);
    ASSERT_FALSE(sampler.ok()) << key << ": " << value;
    EXPECT_EQ(sampler.error().kind, ErrorKind::kInput);
    EXPECT_THAT(sampler.error().message,
                ::testing::AllOf(::testing::HasSubstr("test.yaml:7"), ::testing::HasSubstr(key),
                                 ::testing::HasSubstr(value)));
  }
}

// Both numbers decide what a round costs; the budget would be passed over.
TEST(Laminating, RefusesABudgetBesideBothNumbers) {
  const auto made = [](const std::string& features, const std::string& examples) {
    Settings settings;
    settings.add("features", features, "test.yaml:7");
    settings.add("examples", examples, "test.yaml:7");
    settings.add("budget", "10", "test.yaml:8");
    return make_laminating(settings);
  };
  EXPECT_TRUE(made("auto", "50").ok());
  EXPECT_TRUE(made("400", "auto").ok());
  const auto sampler = made("400", "50");
  ASSERT_FALSE(sampler.ok());
  EXPECT_EQ(sampler.error().message,
            "test.yaml:8: budget: has no effect without features: auto or examples: auto");
}

TEST(Laminating, TakesAutoAndNumbers) {
  for (const std::string value : {"auto", "100"}) {
    Settings settings;
    settings.add("features", value, "");
    settings.add("examples", value, "");
    EXPECT_TRUE(make_laminating(settings).ok());
    EXPECT_TRUE(settings.finish("sampler laminating").ok());
  }
}

}  // namespace
}  // namespace mash
