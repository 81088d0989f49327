// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/tasting.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "classifiers/samplers/full.hpp"
#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using testing::chi_squared;
using testing::SamplerWorld;
using Draw = TastingSampler::Draw;

const std::vector<double> kA{.2, .2, .2, .2}, kB{.05, .05, .05, .35};

std::vector<double> random_edges(std::uint64_t seed) {
  RandomStream stream(seed, "test.edges");
  std::vector<double> edges(1 + stream.below(20));
  for (double& edge : edges) edge = stream.uniform();
  std::sort(edges.begin(), edges.end());
  return edges;
}

TEST(ExpectedBestEdge, WorkedNumbers) {
  const std::vector<double> edges{.1, .2, .4};
  EXPECT_NEAR(expected_best_edge(edges, 1), .233333, 1e-6);
  EXPECT_NEAR(expected_best_edge(edges, 2), .300000, 1e-6);
  EXPECT_NEAR(expected_best_edge(edges, 3), .337037, 1e-6);
  EXPECT_NEAR(expected_best_edge(edges, 10), .396530, 1e-6);
  EXPECT_NEAR(expected_best_edge(edges, 100), .4, 1e-6);
}

RC_GTEST_PROP(ExpectedBestEdge, OfTwoEqualsTheMeanOverAllPairs, (std::uint64_t seed)) {
  const auto edges = random_edges(seed);
  double sum = 0;
  for (const double a : edges)
    for (const double b : edges) sum += std::max(a, b);
  RC_ASSERT(std::abs(expected_best_edge(edges, 2) - sum / double(edges.size() * edges.size())) < 1e-12);
}

RC_GTEST_PROP(ExpectedBestEdge, GrowsWithTheDrawsFromMeanToMaximum, (std::uint64_t seed)) {
  const auto edges = random_edges(seed);
  const double mean = std::accumulate(edges.begin(), edges.end(), 0.0) / double(edges.size());
  double before = mean;
  RC_ASSERT(std::abs(expected_best_edge(edges, 1) - mean) < 1e-12);
  for (std::uint32_t num_draws = 2; num_draws < 2000; num_draws *= 2) {
    const double now = expected_best_edge(edges, num_draws);
    RC_ASSERT(now >= before - 1e-12);
    RC_ASSERT(now <= edges.back() + 1e-12);
    before = now;
  }
}

TEST(ExpectedBestEdge, WeightsSumToOneAndFavourTheTop) {
  EXPECT_NEAR(expected_best_edge(std::vector<double>(100, 1.0), 10), 1, 1e-12);
  std::vector<double> top(100);
  top.back() = 1;
  EXPECT_NEAR(expected_best_edge(top, 10), .095618, 1e-6);
  std::fill(top.end() - 10, top.end(), 1.0);
  EXPECT_NEAR(expected_best_edge(top, 10), .651322, 1e-6);
}

TEST(ExpectedBestEdge, HugeNumberOfDrawsIsTheMaximum) {
  EXPECT_DOUBLE_EQ(expected_best_edge(kB, 1u << 24), .35);
  EXPECT_DOUBLE_EQ(expected_best_edge(std::vector<double>{.3}, 7), .3);
}

TEST(ExpectedBestEdge, FewDrawsFavourTheSteadyFamilyAndManyTheOther) {
  EXPECT_NEAR(expected_best_edge(kB, 1), .125, 1e-6);
  EXPECT_NEAR(expected_best_edge(kB, 2), .18125, 1e-6);
  EXPECT_NEAR(expected_best_edge(kB, 4), .255078, 1e-6);
  EXPECT_NEAR(expected_best_edge(kB, 10), .333106, 1e-6);
  for (const std::uint32_t num_draws : {1u, 2u, 4u, 10u})
    EXPECT_NEAR(expected_best_edge(kA, num_draws), .2, 1e-12);
}

TEST(ExpectedRaisedEdge, WorkedNumbers) {
  EXPECT_NEAR(expected_raised_edge(kA, 0), .2, 1e-12);
  EXPECT_NEAR(expected_raised_edge(kB, 0), .125, 1e-12);
  EXPECT_NEAR(expected_raised_edge(kB, .1), .1625, 1e-12);
  EXPECT_NEAR(expected_raised_edge(kB, .2), .2375, 1e-12);
  EXPECT_NEAR(expected_raised_edge(kB, .25), .275, 1e-12);
  EXPECT_NEAR(expected_raised_edge(kA, .25), .25, 1e-12);
}

// Families that cannot raise the edge must tie to the last bit, with stocks of any size.
RC_GTEST_PROP(ExpectedRaisedEdge, IsTheFloorWhereNothingRises, (std::uint64_t seed)) {
  auto edges = random_edges(seed);
  const double floor = RandomStream(seed, "test.floor").uniform();
  for (double& edge : edges) edge *= floor;
  RC_ASSERT(expected_raised_edge(edges, floor) == floor);
}

TEST(Tasting, StockIsCountedOnceAndCandidatesEveryRound) {
  SamplerWorld w(50, {3, 200});
  TastingSampler sampler(Draw::kOneFamily, 10, 20);
  ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
  EXPECT_EQ(w.scan.ledger().meters().once, (3u + 20) * 50);
  EXPECT_EQ(w.scan.ledger().meters().fe, 0u);
  w.propose(sampler, 1);
  const auto offered = w.offered();
  const std::uint64_t num_candidates = offered[0] + offered[1];
  EXPECT_TRUE(num_candidates == 3 || num_candidates == 10);
  EXPECT_EQ(w.scan.ledger().meters().fe, num_candidates * 50);
  EXPECT_EQ(w.scan.ledger().meters().ops, (num_candidates + 23) * 50 * 2)
      << "the stock's additions are metered";
}

// A family with a perfect feature among many, one with good ones, one without any.
std::vector<testing::FakeFamily> unequal_families(const std::vector<std::uint16_t>& labels) {
  const auto agrees = [labels](std::uint32_t n, std::uint32_t salt, unsigned out_of_100) {
    const bool right = ((n * 2654435761u + salt * 40503u) >> 9) % 100 < out_of_100;
    return float(right ? labels[n] : 1 - labels[n]);
  };
  return {
      {"good", 20, [=](std::uint32_t n, std::uint32_t j) { return agrees(n, j, 75); }},
      {"mixed", 20,
       [=](std::uint32_t n, std::uint32_t j) { return j == 7 ? float(labels[n]) : agrees(n, j + 50, 52); }},
      {"poor", 20, [=](std::uint32_t n, std::uint32_t j) { return agrees(n, j + 100, 51); }}};
}

TEST(Tasting, OneFamilyPicksByTheNumberOfDraws) {
  const auto labels = testing::random_labels(400, 2, 3);
  SamplerWorld w(unequal_families(labels), labels);
  for (const auto& [num_features, family] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 0}, {200, 1}}) {
    TastingSampler sampler(Draw::kOneFamily, num_features, 20);
    ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
    for (std::uint32_t round = 1; round <= 10; ++round)
      EXPECT_EQ(w.world.features().family_of(w.propose(sampler, round)), family) << num_features;
  }
}

TEST(Tasting, WholeStockAndManyDrawsFindTheFamilyOfTheFullSearch) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SamplerWorld w(testing::hashed_families({5, 30, 17, 8}), testing::random_labels(300, 2, seed));
    FullSampler full;
    TastingSampler tasting(Draw::kOneFamily, 1 << 20, 30);
    ASSERT_TRUE(tasting.start(w.scan, {seed, 100}).ok());
    EXPECT_DOUBLE_EQ(w.scan.refit(w.propose(tasting, 1)).edge, w.scan.refit(w.propose(full, 1)).edge);
  }
}

TEST(Tasting, FamiliesFindTheBestFeatureInTheEnd) {
  const auto labels = testing::random_labels(400, 2, 3);
  SamplerWorld w(unequal_families(labels), labels);
  TastingSampler sampler(Draw::kFamilies, 60, 20);
  ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
  FullSampler full;
  EXPECT_EQ(w.propose(sampler, 1), w.propose(full, 1));
  EXPECT_EQ(w.propose(full, 1), 27u);
}

TEST(Tasting, FamiliesDrawDistinctCandidatesWithinTheBudget) {
  SamplerWorld w(30, {2, 3, 40});
  TastingSampler sampler(Draw::kFamilies, 10, 100);
  ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
  for (std::uint32_t round = 1; round <= 50; ++round) {
    const auto before = w.scan.ledger().meters().fe;
    w.propose(sampler, round);
    const auto offered = w.offered();
    EXPECT_LE(offered[0], 2u);
    EXPECT_LE(offered[1], 3u);
    const auto num_candidates = offered[0] + offered[1] + offered[2];
    EXPECT_GE(num_candidates, 1u);
    EXPECT_LE(num_candidates, 10u);
    EXPECT_EQ(w.scan.ledger().meters().fe - before, num_candidates * 30);
  }
}

TEST(Tasting, FamiliesThatTieAreDrawnAlike) {
  // Every feature is constant, so that all edges are equal; the stocks differ in size.
  std::vector<testing::FakeFamily> families;
  for (const std::uint32_t size : {3u, 7u, 100u})
    families.push_back(
        {fmt::format("family-{}", size), size, [](std::uint32_t, std::uint32_t) { return 1.f; }});
  SamplerWorld w(families, {0, 0, 0, 0, 0, 0, 1}, ScanMode::kF64);
  for (const Draw draw : {Draw::kOneFamily, Draw::kFamilies}) {
    TastingSampler sampler(draw, 1, 100);
    ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
    for (std::uint32_t round = 1; round <= 3000; ++round) w.propose(sampler, round);
    EXPECT_LT(chi_squared(w.offered(), std::vector<double>(3, 1000)), 13.82)
        << int(draw);  // 2 degrees, p = 0.001
  }
}

TEST(Tasting, StockDependsOnTheSeedAlone) {
  SamplerWorld w(60, {40, 40});
  std::vector<std::uint32_t> choices;
  for (const std::uint64_t seed : {1, 1, 2}) {
    TastingSampler sampler(Draw::kOneFamily, 3, 5);
    ASSERT_TRUE(sampler.start(w.scan, {seed, 100}).ok());
    std::uint32_t hash = 0;
    for (std::uint32_t round = 1; round <= 30; ++round) hash = hash * 31 + w.propose(sampler, round, seed);
    choices.push_back(hash);
  }
  EXPECT_EQ(choices[0], choices[1]);
  EXPECT_NE(choices[0], choices[2]);
}

TEST(Tasting, RefusesWrongSettings) {
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"features", "0"}, {"tasted", "many"}, {"tasted", "0"}}) {
    Settings settings;
    settings.add(key, value, "test.yaml:7");
    const auto sampler = make_tasting_q1(settings);
    ASSERT_FALSE(sampler.ok());
    EXPECT_THAT(sampler.error().message,
                ::testing::AllOf(::testing::HasSubstr("test.yaml:7"), ::testing::HasSubstr(key),
                                 ::testing::HasSubstr(value)));
  }
}

}  // namespace
}  // namespace mash
