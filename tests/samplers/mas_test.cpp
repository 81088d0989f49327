// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/mas.hpp"

#include <numeric>
#include <vector>

#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using testing::SamplerWorld;
using Kind = MasSampler::Kind;

Mixture normal(double mean, double sd) { return {{{1, mean, sd * sd}}}; }

TEST(SampleSizes, AreGeometricAndEndWithAll) {
  const auto sizes = sample_sizes(60000, 1e6);
  EXPECT_EQ(sizes.front(), 16u);
  EXPECT_EQ(sizes[1], 22u);
  EXPECT_EQ(sizes[2], 32u);
  EXPECT_EQ(sizes.back(), 60000u);
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end(), std::less_equal<>()));
  EXPECT_THAT(sample_sizes(16, 1e6), ElementsAre(16));
  EXPECT_THROW(sample_sizes(16, 0.5), std::logic_error) << "not one candidate on one example";
  EXPECT_THAT(sample_sizes(60000, 30), ElementsAre(16, 22, 30)) << "what one candidate may cost";
  EXPECT_THAT(sample_sizes(60000, 5), ElementsAre(5));
  EXPECT_THAT(sample_sizes(3, 1e6), ElementsAre(3)) << "fewer examples than the least sample";
}

const AllocationTies kTies = [](std::uint32_t family, std::uint64_t count) {
  return keyed_hash(count, std::uint64_t(family));
};

// On a grid of sqrt 2 the optimum is met to a step: a larger spread of edges asks for more candidates.
TEST(AllocateToOne, WiderFamiliesGetMoreCandidates) {
  const std::uint64_t many[] = {1u << 20};
  const auto candidates = [&](double variance, double cost) {
    const Mixture family[] = {{{{1, 0, variance}}}};
    return double(allocate_to_one({family, many, 1u << 30, cost}, kTies).num_features[0]);
  };
  EXPECT_NEAR(candidates(1e-2, 1e3), 13, 4);
  EXPECT_NEAR(candidates(1e-2, 1e4), 56, 14);
  EXPECT_NEAR(candidates(1e-2, 1e5), 316, 80);
  EXPECT_NEAR(candidates(1e-4, 1e5), 13, 4);
}

TEST(AllocateToOne, ExpectationOfTheBest) {
  const Mixture family[] = {normal(0, .1)};
  const std::uint64_t many[] = {1u << 20};
  EXPECT_NEAR(allocate_to_one({family, many, 1u << 30, 1e4}, kTies).expected_edge, .18358, 5e-4);
}

TEST(AllocateToOne, ChoosesTheBetterFamilyWithinItsSize) {
  const std::vector<Mixture> families{normal(.1, .01), normal(.3, .01), normal(.2, .01)};
  const std::vector<std::uint64_t> sizes{100, 7, 100};
  const Allocation best = allocate_to_one({families, sizes, 1000, 10000}, kTies);
  EXPECT_THAT(best.num_features, ElementsAre(0, 7, 0));
  EXPECT_EQ(best.num_examples, 1000u) << "the cost is there to see them all without noise";
}

TEST(ExpectedEdge, TwentyCandidatesOneByOne) {
  const Mixture first{{{.7, .05, .02 * .02}, {.3, .15, .03 * .03}}}, second = normal(.08, .05),
                                                                     third = normal(.10, .005);
  const Mixture* families[] = {&first, &second, &third};
  const auto greedy = [&](double num_examples) {
    ExpectedEdge expected(families, 1 / num_examples);
    std::vector<int> taken(3);
    double edge = 0;
    for (int i = 0; i < 20; ++i) {
      std::size_t best = 0;
      for (std::size_t k = 1; k < 3; ++k)
        if (expected.with(k, 1) > expected.with(best, 1)) best = k;
      edge = expected.with(best, 1);
      expected.add(best, 1);
      ++taken[best];
    }
    return std::pair(taken, edge);
  };
  EXPECT_THAT(greedy(50).first, ElementsAre(17, 0, 3));
  EXPECT_NEAR(greedy(50).second, .116209, 1.2e-5);
  for (const auto& [num_examples, edge] :
       std::vector<std::pair<double, double>>{{200, .148000}, {1000, .173228}, {5000, .182085}}) {
    EXPECT_THAT(greedy(num_examples).first, ElementsAre(19, 0, 1)) << num_examples;
    EXPECT_NEAR(greedy(num_examples).second, edge, 2e-5);
  }
}

TEST(AllocateGreedily, StaysWithinBudgetAndSizes) {
  const std::vector<Mixture> families{normal(.1, .03), normal(.12, .02), normal(.05, .05)};
  const std::vector<std::uint64_t> sizes{40, 5, 1000};
  const Workers workers(2);
  for (const double budget : {3., 100., 5000., 1e6}) {
    const Allocation a = allocate_greedily({families, sizes, 2000, budget}, 16, workers, kTies);
    std::uint64_t total = 0;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      EXPECT_LE(a.num_features[k], sizes[k]);
      total += a.num_features[k];
    }
    EXPECT_GE(total, 1u);
    EXPECT_LE(double(total * a.num_examples), budget);
  }
}

// Greedy steps do not always find the best allocation; but they come near any that is simple.
TEST(AllocateGreedily, IsHardlyWorseThanOneFamily) {
  const std::vector<Mixture> families{normal(.1, .03), normal(.12, .02), normal(.05, .05)};
  const std::vector<std::uint64_t> sizes(3, 100000);
  const double one = allocate_to_one({families, sizes, 60000, 600000}, kTies).expected_edge;
  const double all = allocate_greedily({families, sizes, 60000, 600000}, 64, Workers(1), kTies).expected_edge;
  EXPECT_GE(all, 0.98 * one);
}

TEST(MasSampler, ProbesATenthAndSpendsNoMoreThanTheBudget) {
  for (const Kind kind : {Kind::kNaive, Kind::kOneFamily, Kind::kFamilies}) {
    SamplerWorld w(3000, {3, 40, 200, 100});
    MasSampler sampler(kind, {});
    ASSERT_TRUE(sampler.start(w.scan, {1, 10}).ok());
    for (std::uint32_t round = 1; round <= 10; ++round) {
      const std::uint64_t before = w.scan.ledger().meters().fe;
      w.propose(sampler, round);
      const std::uint64_t cost = w.scan.ledger().meters().fe - before;
      EXPECT_LE(cost, 30000u);
      EXPECT_GT(cost, 3000u) << "more than the probe alone";
    }
  }
}

TEST(AllocateGreedily, SmallFamiliesAreNotTakenWholeInAStep) {
  const std::vector<Mixture> families{normal(.1, .03), normal(.1, .03)};
  const std::vector<std::uint64_t> sizes{64, 64};
  // The cost allows many times more candidates than there are: the steps are shares of those that there are.
  const Allocation a = allocate_greedily({families, sizes, 100, 1e6}, 16, Workers(1), kTies);
  EXPECT_THAT(a.num_features, ElementsAre(64, 64));
}

TEST(MasSampler, ABudgetBelowTheLeastProbeIsAnError) {
  SamplerWorld w(100, {3, 40, 200});
  for (const Kind kind : {Kind::kNaive, Kind::kOneFamily, Kind::kFamilies}) {
    MasSampler::Options options;
    options.budget = .1;
    const Status status = MasSampler(kind, options, "e.yaml:3: budget").start(w.scan, {1, 10});
    ASSERT_FALSE(status.ok());
    EXPECT_THAT(status.error().message, ::testing::HasSubstr("e.yaml:3: budget: found 0.1"));
    options.budget = 1;
    MasSampler enough(kind, options);
    ASSERT_TRUE(enough.start(w.scan, {1, 10}).ok());
    for (std::uint32_t round = 1; round <= 5; ++round) {
      const std::uint64_t before = w.scan.ledger().meters().fe;
      w.propose(enough, round);
      EXPECT_LE(w.scan.ledger().meters().fe - before, 100u);
    }
  }
}

TEST(MasSampler, GoesOnTheSameFromItsState) {
  for (const Kind kind : {Kind::kNaive, Kind::kOneFamily, Kind::kFamilies}) {
    SamplerWorld w(500, {3, 40, 200});
    MasSampler whole(kind, {}), resumed(kind, {});
    ASSERT_TRUE(whole.start(w.scan, {1, 20}).ok());
    ASSERT_TRUE(resumed.start(w.scan, {1, 20}).ok());
    for (std::uint32_t round = 1; round <= 5; ++round) w.propose(whole, round);
    resumed.restore(whole.state());
    for (std::uint32_t round = 6; round <= 10; ++round)
      EXPECT_EQ(w.propose(resumed, round), w.propose(whole, round));
  }
}

}  // namespace
}  // namespace mash
