// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/uniform.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "classifiers/samplers/full.hpp"
#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using testing::chi_squared;
using testing::SamplerWorld;
using UniformDraw = UniformSampler::Draw;

const std::vector<std::uint32_t> kSizes{3, 10, 30, 57};
constexpr double kChiSquared3 = 16.27;  // 3 degrees of freedom, p = 0.001

std::vector<std::uint64_t> family_counts(UniformDraw draw, std::uint32_t num_features,
                                         std::uint32_t num_rounds) {
  SamplerWorld w(8, kSizes);
  UniformSampler sampler(draw, num_features);
  for (std::uint32_t round = 1; round <= num_rounds; ++round) w.propose(sampler, round);
  return w.offered();
}

TEST(Uniform, NaiveDrawsFamiliesInProportionToTheirSizes) {
  const auto counts = family_counts(UniformDraw::kNaive, 1, 10000);
  EXPECT_LT(chi_squared(counts, {300, 1000, 3000, 5700}), kChiSquared3);
}

TEST(Uniform, OneFamilyDrawsAllAlike) {
  EXPECT_LT(chi_squared(family_counts(UniformDraw::kOneFamily, 1, 10000), std::vector<double>(4, 2500)),
            kChiSquared3);
}

TEST(Uniform, FamiliesDrawsAllAlike) {
  EXPECT_LT(chi_squared(family_counts(UniformDraw::kFamilies, 1, 10000), std::vector<double>(4, 2500)),
            kChiSquared3);
}

TEST(Uniform, NaiveOfAllFeaturesIsFullSearch) {
  SamplerWorld w(60, kSizes);
  UniformSampler naive(UniformDraw::kNaive, 100);
  FullSampler full;
  EXPECT_EQ(w.propose(naive, 1), w.propose(full, 1));
  EXPECT_EQ(w.offered(), (std::vector<std::uint64_t>{6, 20, 60, 114}));
  EXPECT_TRUE(full.is_exhaustive());
  EXPECT_FALSE(naive.is_exhaustive());
}

TEST(Uniform, FamiliesAreTenDifferentOnesOfNineteen) {
  SamplerWorld w(8, std::vector<std::uint32_t>(19, 5));
  UniformSampler sampler(UniformDraw::kFamilies, 10);
  for (std::uint32_t round = 1; round <= 100; ++round) {
    w.propose(sampler, round);
    const auto counts = w.offered();
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 1u), 10);
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 0u), 9);
  }
}

TEST(Uniform, MoreCandidatesThanFamiliesTakeEveryFamilyFirst) {
  SamplerWorld w(8, kSizes);
  UniformSampler sampler(UniformDraw::kFamilies, 9);
  for (std::uint32_t round = 1; round <= 50; ++round) {
    w.propose(sampler, round);
    const auto counts = w.offered();
    EXPECT_GE(*std::min_element(counts.begin(), counts.end()), 1u);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0u), 9u);
  }
}

TEST(Uniform, FamiliesDrawsDifferentFeaturesUntilThereAreNoMore) {
  SamplerWorld w(8, {3, 10});
  for (const std::uint32_t num_features : {5u, 13u, 20u}) {
    UniformSampler sampler(UniformDraw::kFamilies, num_features);
    for (std::uint32_t round = 1; round <= 20; ++round) {
      w.propose(sampler, round);
      const auto counts = w.offered();
      EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0u), std::min(num_features, 13u));
      EXPECT_LE(counts[0], 3u);
    }
  }
}

TEST(Uniform, OneFamilySmallerThanQIsTakenWholeAndCostsWhatItHas) {
  SamplerWorld w(8, {3});
  UniformSampler sampler(UniformDraw::kOneFamily, 10);
  w.propose(sampler, 1);
  EXPECT_EQ(w.offered(), (std::vector<std::uint64_t>{3}));
  EXPECT_EQ(w.scan.ledger().meters().fe, 3u * 8);
}

TEST(Uniform, CostsQTimesN) {
  SamplerWorld w(20, kSizes);
  UniformSampler sampler(UniformDraw::kNaive, 10);
  for (std::uint32_t round = 1; round <= 5; ++round) {
    w.propose(sampler, round);
    EXPECT_EQ(w.scan.ledger().meters().fe, round * 10u * 20);
  }
}

TEST(Uniform, ChoiceIsTheBestOfItsCandidates) {
  // With as many candidates as features of the one family the best is the full search's.
  SamplerWorld w(100, {40});
  UniformSampler sampler(UniformDraw::kOneFamily, 40);
  FullSampler full;
  EXPECT_EQ(w.propose(sampler, 3), w.propose(full, 3));
}

TEST(Uniform, EveryRoundAndSeedHasDrawsOfItsOwn) {
  for (const UniformDraw draw : {UniformDraw::kNaive, UniformDraw::kOneFamily, UniformDraw::kFamilies}) {
    SamplerWorld w(50, kSizes);
    UniformSampler sampler(draw, 2);
    std::vector<std::uint32_t> first, again, other;
    for (std::uint32_t round = 1; round <= 20; ++round) first.push_back(w.propose(sampler, round));
    for (std::uint32_t round = 20; round >= 1; --round)
      again.insert(again.begin(), w.propose(sampler, round));
    for (std::uint32_t round = 1; round <= 20; ++round) other.push_back(w.propose(sampler, round, 2));
    EXPECT_EQ(first, again) << "a round's draws do not depend on the rounds before";
    EXPECT_NE(first, other);
    EXPECT_GT(std::set<std::uint32_t>(first.begin(), first.end()).size(), 3u);
  }
}

TEST(Uniform, RefusesZeroCandidates) {
  Settings settings;
  settings.add("features", "0", "test.yaml:3");
  const auto sampler = make_uniform_naive(settings);
  ASSERT_FALSE(sampler.ok());
  EXPECT_THAT(sampler.error().message,
              ::testing::AllOf(::testing::HasSubstr("test.yaml:3"), ::testing::HasSubstr("features")));
}

}  // namespace
}  // namespace mash
