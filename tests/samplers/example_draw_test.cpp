// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/example_draw.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using testing::chi_squared;

std::vector<double> random_weights(std::size_t num_examples, std::uint64_t seed) {
  RandomStream stream(seed, "test.weights");
  std::vector<double> weights(num_examples);
  for (double& weight : weights) weight = stream.below(5) == 0 ? 0 : std::exp(3 * stream.normal());
  weights[stream.below(num_examples)] = 1;
  return weights;
}

RC_GTEST_PROP(WeightedDraw, GivesDistinctRowsWithCountsThatSumUp, (std::uint64_t seed)) {
  const std::size_t num_examples = 2 + seed % 1000;
  const auto weights = random_weights(num_examples, seed);
  const WeightedDraw weighted(weights, Workers(1));
  const std::uint64_t num_draws = 1 + seed / 7 % (num_examples - 1);
  for (std::uint32_t pass = 0; pass < 3; ++pass) {
    const ExampleDraw draw = weighted.draw(num_draws, {seed, 1}, pass);
    RC_ASSERT(draw.num_draws == double(num_draws));
    RC_ASSERT(draw.rows.size() == draw.counts.size());
    RC_ASSERT(std::accumulate(draw.counts.begin(), draw.counts.end(), 0.0) == double(num_draws));
    RC_ASSERT(std::is_sorted(draw.rows.begin(), draw.rows.end(), std::less_equal<std::uint32_t>()));
    for (std::size_t i = 0; i < draw.rows.size(); ++i) {
      RC_ASSERT(draw.counts[i] >= 1);
      RC_ASSERT(weights[draw.rows[i]] > 0);
    }
  }
}

TEST(WeightedDraw, FrequenciesAreTheWeights) {
  // From 1e-4 to 0.5, in no order, with zeros between; expectations below five draws are left to the test of
  // zeros.
  const std::vector<double> weights{0.1, 0, 0.5, 0.001, 0.2, 0, 0.149, 0.05};
  std::vector<double> many(4000, 1e-12);
  for (std::size_t i = 0; i < weights.size(); ++i) many[i * 500 + 3] = weights[i];
  const WeightedDraw weighted(many, Workers(1));
  std::vector<double> counts(weights.size());
  double num_draws = 0;
  for (std::uint32_t round = 1; round <= 100; ++round) {
    const ExampleDraw draw = weighted.draw(1000, {1, round}, 0);
    for (std::size_t r = 0; r < draw.rows.size(); ++r) counts[draw.rows[r] / 500] += draw.counts[r];
    num_draws += draw.num_draws;
  }
  EXPECT_EQ(counts[1], 0);
  EXPECT_EQ(counts[5], 0);
  std::vector<double> drawn, expected;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) {
      drawn.push_back(counts[i]);
      expected.push_back(weights[i] * num_draws);
    }
  EXPECT_LT(chi_squared(drawn, expected), 20.52);  // 5 degrees of freedom, p = 0.001
}

TEST(WeightedDraw, EqualWeightsAreDrawnAlike) {
  const std::vector<double> weights(100, 0.01);
  const WeightedDraw weighted(weights, Workers(1));
  std::vector<double> counts(100);
  for (std::uint32_t round = 1; round <= 1000; ++round) {
    const ExampleDraw draw = weighted.draw(50, {1, round}, 0);
    for (std::size_t r = 0; r < draw.rows.size(); ++r) counts[draw.rows[r]] += draw.counts[r];
  }
  EXPECT_LT(chi_squared(counts, std::vector<double>(100, 500)), 148.2);  // 99 degrees of freedom, p = 0.001
}

// Neighbours of very unequal weight, and a last block that is not whole.
TEST(WeightedDraw, NeighboursAreDrawnByTheirWeights) {
  std::vector<double> weights(19);
  for (std::size_t n = 0; n < weights.size(); ++n) weights[n] = double(1 + n * n * 7 % 19);
  const WeightedDraw weighted(weights, Workers(1));
  std::vector<double> drawn(19), expected(19);
  for (std::uint32_t round = 1; round <= 5000; ++round) {
    const ExampleDraw draw = weighted.draw(18, {1, round}, 0);
    for (std::size_t r = 0; r < draw.rows.size(); ++r) drawn[draw.rows[r]] += draw.counts[r];
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t n = 0; n < weights.size(); ++n) expected[n] = 5000 * 18 * weights[n] / sum;
  EXPECT_LT(chi_squared(drawn, expected), 42.31);  // 18 degrees of freedom, p = 0.001
}

// That draws are independent: what is spread evenly would vary less, what clusters more.
TEST(WeightedDraw, CountsVaryAsThoseOfIndependentDraws) {
  constexpr double kShare = 0.3, kRounds = 20000, kDraws = 40;
  std::vector<double> weights(50, (1 - kShare) / 49);
  weights[20] = kShare;
  const WeightedDraw weighted(weights, Workers(1));
  double sum = 0, sum_of_squares = 0;
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    const ExampleDraw draw = weighted.draw(std::uint64_t(kDraws), {2, round}, 0);
    const auto found = std::lower_bound(draw.rows.begin(), draw.rows.end(), 20u);
    const bool drawn = found != draw.rows.end() && *found == 20;
    const double count = drawn ? draw.counts[std::size_t(found - draw.rows.begin())] : 0;
    sum += count;
    sum_of_squares += count * count;
  }
  const double mean = sum / kRounds, variance = sum_of_squares / kRounds - mean * mean;
  EXPECT_NEAR(mean, kDraws * kShare, 5 * std::sqrt(8.4 / kRounds));
  EXPECT_NEAR(variance, kDraws * kShare * (1 - kShare), 5 * 8.4 * std::sqrt(2 / kRounds));
}

TEST(WeightedDraw, NeverDrawsWithoutWeight) {
  for (const std::size_t where : {0, 1, 500, 998, 999}) {
    std::vector<double> weights(1000);
    weights[where] = 1e-300;
    const WeightedDraw weighted(weights, Workers(1));
    const ExampleDraw draw = weighted.draw(999, {1, 1}, 0);
    EXPECT_THAT(draw.rows, ::testing::ElementsAre(where));
    EXPECT_THAT(draw.counts, ::testing::ElementsAre(999));
  }
}

TEST(WeightedDraw, AsManyAsThereAreIsAllOfThem) {
  const std::vector<double> weights(20, 0.05);
  const WeightedDraw weighted(weights, Workers(1));
  for (const std::uint64_t num_draws : {20, 21, 1000}) {
    const ExampleDraw draw = weighted.draw(num_draws, {1, 1}, 0);
    EXPECT_TRUE(draw.rows.empty());
    EXPECT_EQ(draw.num_draws, 0);
  }
  EXPECT_FALSE(weighted.draw(19, {1, 1}, 0).rows.empty());
}

TEST(WeightedDraw, EverySeedRoundAndPassHasNumbersOfItsOwn) {
  const auto weights = random_weights(10000, 1);
  const WeightedDraw weighted(weights, Workers(1));
  const auto first = weighted.draw(5000, {1, 1}, 0);
  const auto same = weighted.draw(5000, {1, 1}, 0);
  EXPECT_EQ(first.rows, same.rows);
  EXPECT_EQ(first.counts, same.counts);
  EXPECT_NE(weighted.draw(5000, {2, 1}, 0).rows, first.rows);
  EXPECT_NE(weighted.draw(5000, {1, 2}, 0).rows, first.rows);
  EXPECT_NE(weighted.draw(5000, {1, 1}, 1).rows, first.rows);
}

RC_GTEST_PROP(NestedDraws, EachHasTheOneBeforeAndItsSize, (std::uint64_t seed)) {
  const std::size_t num_examples = 20 + seed % 1000;
  auto weights = random_weights(num_examples, seed);
  for (double& weight : weights) weight += 1e-9;
  const std::vector<std::uint64_t> sizes{
      1, 7, 7 + seed / 3 % 10, num_examples - 1, num_examples, 3 * num_examples};
  const auto draws = nested_draws(weights, sizes, {seed, 1}, Workers(1));
  RC_ASSERT(draws.size() == sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& rows = draws[i].rows;
    if (sizes[i] >= num_examples) {
      RC_ASSERT(rows.empty());
      continue;
    }
    RC_ASSERT(rows.size() == sizes[i]);
    RC_ASSERT(std::is_sorted(rows.begin(), rows.end(), std::less_equal<std::uint32_t>()));
    if (i > 0) {
      const auto& before = draws[i - 1].rows;
      RC_ASSERT(std::includes(rows.begin(), rows.end(), before.begin(), before.end()));
    }
    double sum = 0;
    for (const double count : draws[i].counts) sum += count;
    RC_ASSERT(draws[i].num_draws == sum);
  }
}

// max(1, w / tau) with one tau: what counts more than once counts in proportion to its weight, and weighs
// more than all that count once.
RC_GTEST_PROP(NestedDraws, HeavyExamplesCountByTheirWeights, (std::uint64_t seed)) {
  auto weights = random_weights(300, seed);
  for (double& weight : weights) weight += 1e-9;
  const auto draw = nested_draws(weights, std::vector<std::uint64_t>{150}, {seed, 1}, Workers(1)).front();
  double tau = 0, heaviest_light = 0;
  for (std::size_t i = 0; i < draw.rows.size(); ++i) {
    const double weight = weights[draw.rows[i]];
    RC_ASSERT(draw.counts[i] >= 1);
    if (draw.counts[i] == 1) heaviest_light = std::max(heaviest_light, weight);
    if (draw.counts[i] > 1) {
      if (tau > 0) RC_ASSERT(std::abs(weight / draw.counts[i] / tau - 1) < 1e-9);
      tau = weight / draw.counts[i];
    }
  }
  if (tau > 0) RC_ASSERT(heaviest_light <= tau * (1 + 1e-9));
}

TEST(NestedDraws, WhereFewHaveWeightAllOfThemAreDrawnWithIt) {
  std::vector<double> weights(100);
  weights[3] = 0.5, weights[40] = 0.25, weights[99] = 0.125;
  const auto draws = nested_draws(weights, std::vector<std::uint64_t>{3, 20}, {1, 1}, Workers(1));
  for (const ExampleDraw& draw : draws) {
    EXPECT_THAT(draw.rows, ::testing::ElementsAre(3, 40, 99));
    EXPECT_THAT(draw.counts, ::testing::ElementsAre(1, 0.5, 0.25));
    EXPECT_EQ(draw.num_draws, 1.75);
  }
}

TEST(NestedDraws, EverySeedAndRoundHasNumbersOfItsOwnAndThreadsDoNotMatter) {
  const auto weights = random_weights(10000, 1);
  const std::vector<std::uint64_t> sizes{100, 1000, 5000};
  const auto first = nested_draws(weights, sizes, {1, 1}, Workers(1));
  for (const int num_threads : {2, 3, 8}) {
    const auto same = nested_draws(weights, sizes, {1, 1}, Workers(num_threads));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      EXPECT_EQ(same[i].rows, first[i].rows);
      EXPECT_EQ(same[i].counts, first[i].counts);
    }
  }
  EXPECT_NE(nested_draws(weights, sizes, {2, 1}, Workers(1))[0].rows, first[0].rows);
  EXPECT_NE(nested_draws(weights, sizes, {1, 2}, Workers(1))[0].rows, first[0].rows);
}

// One feature that shows the label of three examples in four, under uneven weights.
struct EdgeOnSamples {
  static constexpr std::uint32_t kDraws = 2000;
  EdgeOnSamples() {
    std::vector<std::uint16_t> labels(600);
    for (std::uint16_t n = 0; n < 600; ++n) labels[n] = n % 2;
    const auto three_of_four = [](std::uint32_t n, std::uint32_t) {
      return float((n * 2654435761u >> 9) % 100 < 75 ? n % 2 : 1 - n % 2);
    };
    w = std::make_unique<testing::SamplerWorld>(std::vector<testing::FakeFamily>{{"bit", 1, three_of_four}},
                                                labels, ScanMode::kF64);
    RandomStream stream(1, "test.weights");
    for (double& g : w->weights.all()) g *= std::exp(stream.normal());
    w->weights.normalise(w->world.workers);
    w->scan.new_round(1, 1);
    exact = w->scan.refit(0).edge;
    // So large that the best cut of a sample is always the same one.
    EXPECT_LT(exact, 0.9);
    EXPECT_GT(exact, 0.3);
  }
  // draw(i): the i-th sample.
  template <class Draw>
  void measure(const Draw& draw) {
    double sum = 0, squares = 0;
    for (std::uint32_t i = 0; i < kDraws; ++i) {
      const std::uint32_t feature = 0;
      const double edge = w->scan.evaluate({&feature, 1}, draw(i)).front().edge;
      EXPECT_LE(edge, 1 + 1e-12);
      sum += edge;
      squares += edge * edge;
    }
    mean = sum / kDraws;
    deviation = std::sqrt(squares / kDraws - mean * mean);
  }
  std::unique_ptr<testing::SamplerWorld> w;
  double exact = 0, mean = 0, deviation = 0;
};

// The estimate of an edge on drawn examples is right on average.
TEST(WeightedDraw, SampledEdgesAreUnbiased) {
  EdgeOnSamples edge;
  const WeightedDraw weighted(edge.w->weights.example_weights(), Workers(1));
  edge.measure([&](std::uint32_t i) { return weighted.draw(200, {1, i}, 0); });
  EXPECT_NEAR(edge.mean, edge.exact, 4 * edge.deviation / std::sqrt(EdgeOnSamples::kDraws));
}

TEST(NestedDraws, SampledEdgesAreUnbiasedAndVaryLessThanWithReplacement) {
  EdgeOnSamples edge;
  const auto weights = edge.w->weights.example_weights();
  const WeightedDraw weighted(weights, Workers(1));
  edge.measure([&](std::uint32_t i) { return weighted.draw(200, {1, i}, 0); });
  const double with_replacement = edge.deviation;
  edge.measure([&](std::uint32_t i) {
    return nested_draws(weights, std::vector<std::uint64_t>{200}, {1, i}, Workers(1)).front();
  });
  EXPECT_NEAR(edge.mean, edge.exact, 4 * edge.deviation / std::sqrt(EdgeOnSamples::kDraws));
  EXPECT_LT(edge.deviation, 0.8 * with_replacement);
}

}  // namespace
}  // namespace mash
