// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/tasting_bonus.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using testing::SamplerWorld;

constexpr std::uint32_t kFeatures = 10, kStock = 15;

// Families of which all features show the label to the extent of their family.
std::vector<testing::FakeFamily> graded_families(const std::vector<std::uint16_t>& labels) {
  std::vector<testing::FakeFamily> families;
  for (std::uint32_t k = 0; k < 6; ++k)
    families.push_back(
        {fmt::format("right in {} of 100", 52 + 5 * k), 40, [=](std::uint32_t n, std::uint32_t j) {
           const std::uint32_t hash = (n * 2654435761u + (j + 41 * k) * 40503u) >> 9;
           return float(hash % 100 < 52 + 5 * k ? labels[n] : 1 - labels[n]);
         }});
  return families;
}

struct BonusWorld : SamplerWorld {
  BonusWorld() : BonusWorld(testing::random_labels(400, 2, 3)) {}
  explicit BonusWorld(const std::vector<std::uint16_t>& labels)
      : SamplerWorld(graded_families(labels), labels, ScanMode::kF64) {}

  // AdaBoost's change of the weights.
  void boost(std::uint32_t feature) {
    const StumpFit fit = scan.refit(feature);
    const double alpha = 0.5 * std::log((1 + fit.edge) / (1 - fit.edge));
    for (std::size_t n = 0; n < weights.num_examples(); ++n)
      for (std::size_t l = 0; l < 2; ++l) {
        const double label = weights.labels()[n] == l ? 1 : -1;
        weights.row(n)[l] *= std::exp(-alpha * fit.votes_above()[l] * (fit.above[n] ? 1 : -1) * label);
      }
    weights.normalise(world.workers);
  }
  void shake(std::uint32_t round, double scale) {
    RandomStream stream(1, "test.weights", round);
    for (double& g : weights.all()) g *= std::exp(scale * stream.normal());
    weights.normalise(world.workers);
  }
  std::uint64_t ops_of(Sampler& sampler, std::uint32_t round) {
    const std::uint64_t before = scan.ledger().meters().ops;
    propose(sampler, round);
    return scan.ledger().meters().ops - before;
  }
};

TastingBonusSampler make(double beta, double rho) {
  return TastingBonusSampler({kFeatures, kStock, beta, rho});
}

// The additions of one family's tasting, and of a round's candidates.
constexpr std::uint64_t kTasteOps = kStock * 400 * 2, kCandidateOps = kFeatures * 400 * 2;

TEST(TastingBonus, WithTheBoundAloneItChoosesAsTastingEveryRound) {
  BonusWorld w;
  TastingSampler plain(TastingSampler::Draw::kOneFamily, kFeatures, kStock);
  auto bonus = make(0, 1);
  ASSERT_TRUE(plain.start(w.scan, {1, 200}).ok());
  ASSERT_TRUE(bonus.start(w.scan, {1, 200}).ok());
  std::vector<bool> chosen(6);
  for (std::uint32_t round = 1; round <= 200; ++round) {
    const std::uint32_t feature = w.propose(plain, round);
    ASSERT_EQ(w.propose(bonus, round), feature) << "round " << round;
    chosen[w.world.features().family_of(feature)] = true;
    w.boost(feature);
  }
  EXPECT_GT(std::count(chosen.begin(), chosen.end(), true), 2) << "the best family changes";
}

TEST(TastingBonus, TastesOnlyWhatCouldBeTheBest) {
  BonusWorld w;
  auto bonus = make(0, 1);
  TastingSampler plain(TastingSampler::Draw::kOneFamily, kFeatures, kStock);
  ASSERT_TRUE(bonus.start(w.scan, {1, 100}).ok());
  ASSERT_TRUE(plain.start(w.scan, {1, 100}).ok());
  EXPECT_EQ(w.ops_of(bonus, 1), 6 * kTasteOps + kCandidateOps) << "all families are new";
  std::uint64_t ops = 0;
  for (std::uint32_t round = 2; round <= 51; ++round) {
    w.shake(round, 0.01);
    ASSERT_EQ(w.propose(bonus, round), w.propose(plain, round));
  }
  BonusWorld still;
  auto same = make(0, 1);
  ASSERT_TRUE(same.start(still.scan, {1, 100}).ok());
  still.propose(same, 1);
  for (std::uint32_t round = 2; round <= 51; ++round) {
    still.shake(round, 0.01);
    ops += still.ops_of(same, round);
  }
  EXPECT_LT(ops, 50 * (2 * kTasteOps + kCandidateOps)) << "fewer than two of six families a round";
}

TEST(TastingBonus, WithoutABonusTheOthersAreForgotten) {
  BonusWorld w;
  auto bonus = make(0, 0);
  ASSERT_TRUE(bonus.start(w.scan, {1, 100}).ok());
  w.propose(bonus, 1);
  for (std::uint32_t round = 2; round <= 10; ++round)
    EXPECT_EQ(w.ops_of(bonus, round), kTasteOps + kCandidateOps);
}

TEST(TastingBonus, AllIsTastedAgainWhenTheWeightsAreOthers) {
  BonusWorld w;
  auto bonus = make(0, 1);
  ASSERT_TRUE(bonus.start(w.scan, {1, 100}).ok());
  w.propose(bonus, 1);
  std::reverse(w.weights.all().begin(), w.weights.all().end());
  w.shake(2, 3);
  EXPECT_EQ(w.ops_of(bonus, 2), 6 * kTasteOps + kCandidateOps);
}

TEST(TastingBonus, TheVarianceOfAFamilyRaisesItsIndex) {
  // One family is steady, the other has a few good features among poor ones.
  const auto labels = testing::random_labels(400, 2, 3);
  const auto agrees = [labels](std::uint32_t n, std::uint32_t salt, unsigned out_of_100) {
    const bool right = ((n * 2654435761u + salt * 40503u) >> 9) % 100 < out_of_100;
    return float(right ? labels[n] : 1 - labels[n]);
  };
  SamplerWorld w(
      {{"steady", 30, [=](std::uint32_t n, std::uint32_t j) { return agrees(n, j, 68); }},
       {"mixed", 30,
        [=](std::uint32_t n, std::uint32_t j) { return agrees(n, j + 99, j % 3 == 0 ? 75 : 50); }}},
      labels, ScanMode::kF64);
  for (const auto& [beta, family] : std::vector<std::pair<double, std::uint32_t>>{{0, 0}, {20, 1}}) {
    TastingBonusSampler sampler({1, 30, beta, 0});
    ASSERT_TRUE(sampler.start(w.scan, {1, 100}).ok());
    EXPECT_EQ(w.world.features().family_of(w.propose(sampler, 1)), family) << beta;
  }
}

// The ground of the bound: no best edge, and so no E_k, changes by more than the weights do.
RC_GTEST_PROP(TastingBonus, ScoresMoveNoMoreThanTheWeights, (std::uint64_t seed)) {
  static BonusWorld w;
  Stock stock;
  stock.fill(w.scan, seed, kStock);
  const auto scores = [&] {
    w.scan.new_round(seed, 1);
    std::vector<double> result;
    for (const auto& edges : stock.taste(w.scan)) result.push_back(expected_best_edge(edges, kFeatures));
    return result;
  };
  const std::vector<double> weights(w.weights.all().begin(), w.weights.all().end()), before = scores();
  w.shake(std::uint32_t(seed), double(seed % 7) / 5);
  double distance = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) distance += std::abs(w.weights.all()[i] - weights[i]);
  const std::vector<double> after = scores();
  for (std::size_t k = 0; k < after.size(); ++k)
    RC_ASSERT(std::abs(after[k] - before[k]) <= distance + 1e-12);
}

TEST(TastingBonus, GoesOnTheSameFromItsState) {
  BonusWorld w;
  auto whole = make(1, 0.5), resumed = make(1, 0.5), forgetful = make(1, 0.5);
  for (auto* sampler : {&whole, &resumed, &forgetful}) ASSERT_TRUE(sampler->start(w.scan, {1, 100}).ok());
  for (std::uint32_t round = 1; round <= 5; ++round) w.boost(w.propose(whole, round));
  resumed.restore(whole.state());
  EXPECT_EQ(resumed.state(), whole.state());
  const std::uint64_t ops = w.ops_of(whole, 6);
  EXPECT_EQ(w.ops_of(resumed, 6), ops);
  EXPECT_EQ(w.ops_of(forgetful, 6), 6 * kTasteOps + kCandidateOps);
  EXPECT_EQ(resumed.state(), whole.state());
}

TEST(TastingBonus, RefusesWrongSettings) {
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"features", "0"}, {"tasted", "0"}, {"beta", "-1"}, {"rho", "much"}}) {
    Settings settings;
    settings.add(key, value, "test.yaml:7");
    const auto sampler = make_tasting_bonus(settings);
    ASSERT_FALSE(sampler.ok());
    EXPECT_THAT(sampler.error().message,
                ::testing::AllOf(::testing::HasSubstr("test.yaml:7"), ::testing::HasSubstr(key)));
  }
}

}  // namespace
}  // namespace mash
