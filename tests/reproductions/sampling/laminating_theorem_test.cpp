// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "classifiers/samplers/feature_draw.hpp"
#include "classifiers/samplers/laminating.hpp"
#include "framework/reproductions/sampling/laminating_bound.hpp"
#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using testing::SamplerWorld;

// One feature with a large edge among others with a smaller one. A tenth of the examples has nine tenths of
// the weight; on the rest the good feature is mostly wrong and the others are mostly right, so that a sampler
// which draws examples without regard to their weights takes one of the others nearly always.
class Tournament {
 public:
  static constexpr std::uint32_t kExamples = 20000;

  Tournament(std::uint32_t num_features, double good_edge, double other_edge)
      : good_(num_features / 2), columns_(num_features) {
    for (std::uint32_t j = 0; j < num_features; ++j) {
      const double edge = j == good_ ? good_edge : other_edge, light_edge = j == good_ ? -.6 : .8;
      edges_.push_back({(edge - .1 * light_edge) / .9, light_edge});
      columns_[j] = column(j, edges_[j]);
    }
    const auto value = [this](std::uint32_t n, std::uint32_t j) { return columns_[j][n]; };
    world_ = std::make_unique<SamplerWorld>(std::vector<testing::FakeFamily>{{"bits", num_features, value}},
                                            testing::alternating_labels(kExamples));
    for (std::uint32_t n = 0; n < kExamples; ++n)
      for (double& g : world_->weights.row(n)) g *= is_heavy(n) ? 81 : 1;
    world_->weights.normalise(world_->world.workers);
    world_->scan.new_round(1, 1);
    EXPECT_NEAR(world_->scan.refit(good_).edge, good_edge, .001);
    EXPECT_NEAR(world_->scan.refit(0).edge, other_edge, .001);
  }

  // The share of rounds that do not end with the good feature. num_examples: S, of the first pass.
  double failures(std::uint64_t num_examples, std::uint32_t num_rounds) {
    LaminatingSampler sampler({columns_.size(), num_examples}, 10, false);
    EXPECT_TRUE(sampler.start(world_->scan, {1, num_rounds}).ok());
    std::uint32_t num_failures = 0;
    for (std::uint32_t round = 1; round <= num_rounds; ++round)
      num_failures += world_->propose(sampler, round) != good_;
    return double(num_failures) / num_rounds;
  }

  // That share by the paper's model of it, independently of the sampler: each pass counts how often a learner
  // is right on examples drawn again (nine in ten of them heavy), keeps the better half (rounded up, ties by
  // chance), and the next draws twice as many.
  double simulated_failures(std::uint64_t num_examples, std::uint32_t num_trials) const {
    RandomStream stream(7, "test.tournament");
    std::uint32_t num_failures = 0;
    for (std::uint32_t trial = 0; trial < num_trials; ++trial) {
      std::vector<std::uint32_t> left(edges_.size());
      std::iota(left.begin(), left.end(), 0u);
      for (std::uint64_t size = num_examples; left.size() > 1; size *= 2)
        left = better_half(left, size, stream);
      num_failures += left[0] != good_;
    }
    return double(num_failures) / num_trials;
  }

 private:
  static bool is_heavy(std::uint32_t example) { return example % 20 < 2; }

  struct Edges {
    double heavy = 0, light = 0;  // on the heavy examples alone, on the light ones
  };

  // Wrong on as many examples of either kind as leave these edges.
  static std::vector<float> column(std::uint32_t feature, const Edges& edges) {
    RandomStream stream(3, "test.column", feature);
    std::vector<std::uint32_t> heavy, light;
    for (std::uint32_t n = 0; n < kExamples; ++n) (is_heavy(n) ? heavy : light).push_back(n);
    std::vector<float> values(kExamples);
    for (std::uint32_t n = 0; n < kExamples; ++n) values[n] = float(n % 2);
    for (const auto& [part, edge] : {std::pair{&heavy, edges.heavy}, std::pair{&light, edges.light}}) {
      const auto num_wrong = std::uint64_t(std::lround((1 - edge) / 2 * double(part->size())));
      for (const std::uint32_t i : FeatureOrder(0, std::uint32_t(part->size()), stream).take(num_wrong))
        values[(*part)[i]] = 1 - values[(*part)[i]];
    }
    return values;
  }

  // The sum of `size` draws of which each is 1 with probability (1 + edge) / 2, else -1.
  static double sum_of_draws(double edge, std::uint64_t size, RandomStream& stream) {
    std::int64_t sum = 0;
    for (std::uint64_t i = 0; i < size; ++i) sum += stream.uniform() < (1 + edge) / 2 ? 1 : -1;
    return double(sum);
  }

  std::vector<std::uint32_t> better_half(std::vector<std::uint32_t> left, std::uint64_t size,
                                         RandomStream& stream) const {
    const double constant = sum_of_draws(0, size, stream);  // one class is drawn more often than the other
    const auto num_heavy = std::uint64_t(std::lround((double(size) + sum_of_draws(.8, size, stream)) / 2));
    std::vector<double> estimates;
    for (const std::uint32_t j : left) {
      const double sum = sum_of_draws(edges_[j].heavy, num_heavy, stream) +
                         sum_of_draws(edges_[j].light, size - num_heavy, stream);
      estimates.push_back(std::max(std::abs(constant), std::abs(sum)));
    }
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t i :
         largest(estimates, (left.size() + 1) / 2, testing::random_ties(stream.next_u64())))
      kept.push_back(left[i]);
    return kept;
  }

  std::uint32_t good_;
  std::vector<std::vector<float>> columns_;
  std::vector<Edges> edges_;
  std::unique_ptr<SamplerWorld> world_;
};

// Both ways: to halve too much, to keep the worse half, to draw without weights, or not to draw twice as many
// each pass changes the share by more than the limits, four standard errors of 2000 rounds.
TEST(LaminatingTheorem, TheSamplerLosesTheBestFeatureAsOftenAsTheModelSays) {
  constexpr std::uint32_t kRounds = 2000, kTrials = 20000;
  for (const auto& [num_features, num_examples, other_edge] :
       {std::tuple{13u, 20u, .4}, std::tuple{13u, 40u, .45}, std::tuple{8u, 20u, .3}}) {
    Tournament tournament(num_features, .6, other_edge);
    const double simulated = tournament.simulated_failures(num_examples, kTrials);
    EXPECT_GT(simulated, .05) << "so that there is something to compare";
    EXPECT_LT(simulated, .6);
    EXPECT_NEAR(tournament.failures(num_examples, kRounds), simulated,
                4 * std::sqrt(simulated * (1 - simulated) / kRounds))
        << num_features << " features, " << num_examples << " examples";
  }
}

// The largest probability that is plausible, 99.9 %, when none of num_trials trials fails.
double upper_limit_of_none(std::uint32_t num_trials) { return 1 - std::pow(.001, 1. / num_trials); }

// A sampler that draws without weights, or keeps the worse half, loses the best feature nearly always.
TEST(LaminatingTheorem, TheSamplerKeepsTheCorrectedLemmaOfOnePass) {
  constexpr std::uint32_t kRounds = 200;
  for (const auto& [num_examples, delta] : {std::pair{100u, .4}, std::pair{200u, .3}, std::pair{50u, .5}}) {
    Tournament tournament(2, .7, .7 - delta);
    const double failures = tournament.failures(num_examples, kRounds);
    EXPECT_LE(failures + 3.1 * std::sqrt(failures * (1 - failures) / kRounds),
              laminating_lemma(delta, num_examples).corrected)
        << num_examples << ' ' << delta;
  }
}

TEST(LaminatingTheorem, TheSamplerKeepsTheCorrectedTheorem) {
  constexpr std::uint32_t kRounds = 60;
  for (const std::uint32_t num_features : {2u, 5u, 8u}) {
    const double bound = laminating_theorem(.6, 2500).corrected;
    EXPECT_NEAR(bound, .16, .001);
    EXPECT_LT(upper_limit_of_none(kRounds), bound) << "so many rounds can show it";
    EXPECT_EQ(Tournament(num_features, .8, .2).failures(2500, kRounds), 0) << num_features;
  }
}

}  // namespace
}  // namespace mash
