// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/retention.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <set>
#include <thread>

#include "classifiers/reservoir/edge_covariance.hpp"
#include "framework/base/instruction_set.hpp"
#include "tests/reservoir/plain_algebra.hpp"
#include "tests/support/heard_remarks.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Examples with random codes, from which a reservoir may choose.
struct Examples {
  Examples(std::vector<double> their_weights, std::size_t num_features)
      : weights(std::move(their_weights)),
        signs(testing::random_signs(weights.size(), stream)),
        codes(testing::random_codes(num_features, weights.size(), 200, stream)) {}
  explicit Examples(std::size_t size, std::size_t num_features = 30)
      : Examples(some_weights(size), num_features) {}

  static std::vector<double> some_weights(std::size_t size) {
    RandomStream numbers(1, "weights");
    return testing::random_weights(size, numbers);
  }

  Pool pool() {
    return {weights, signs, std::uint32_t(codes.size() / weights.size()),
            [this](std::span<const std::uint32_t> features, std::uint8_t* out) {
              asked.assign(features.begin(), features.end());
              for (const std::uint32_t feature : features)
                out = std::copy_n(&codes[feature * weights.size()], weights.size(), out);
            }};
  }

  RandomStream stream{1, "examples"};
  std::vector<double> weights;
  std::vector<std::int8_t> signs;
  std::vector<std::uint8_t> codes;
  std::vector<std::uint32_t> asked;  // the features whose codes were asked for
};

const RetentionRow& row_of(std::string_view name) {
  for (const RetentionRow& row : retention_strategies())
    if (row.name == name) return row;
  throw std::logic_error("no such strategy");
}

std::unique_ptr<const Retention> strategy(std::string_view name, const std::string& key = "",
                                          const std::string& value = "") {
  Settings settings;
  if (!key.empty()) settings.add(key, value, "here");
  auto made = row_of(name).make(settings);
  EXPECT_TRUE(made.ok());
  EXPECT_TRUE(settings.finish(name).ok());
  return *std::move(made);
}

Kept keep(const Retention& retention, Examples& examples, std::size_t num_kept, std::uint64_t trial = 0) {
  testing::HeardRemarks remarks;
  Kept kept = retention.keep(examples.pool(), num_kept, RandomStream(1, "retention", trial), remarks);
  EXPECT_THAT(remarks.warnings, IsEmpty());
  return kept;
}

// How often each example is kept.
std::vector<double> shares_kept(const Retention& retention, Examples& examples, std::size_t num_kept) {
  constexpr std::size_t kTrials = 20'000;
  std::vector<double> shares(examples.weights.size());
  for (std::size_t trial = 0; trial < kTrials; ++trial)
    for (const std::uint32_t place : keep(retention, examples, num_kept, trial).places)
      shares[place] += 1.0 / kTrials;
  return shares;
}
constexpr double kFourDeviations = 4 * 0.5 / 141.4;  // of a share of 20 000 trials

class EachRetention : public ::testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Rows, EachRetention, ::testing::Values("geem", "max", "rand", "wsam"));

TEST(RetentionTable, HasAllInTheOrderOfTheNames) {
  std::vector<std::string_view> names;
  for (const RetentionRow& row : retention_strategies()) {
    names.push_back(row.name);
    EXPECT_THAT(std::string(row.summary), HasSubstr("2013"));
  }
  EXPECT_THAT(names, ElementsAre("geem", "max", "rand", "wsam"));
}

TEST_P(EachRetention, KeepsAllWhereThereIsRoom) {
  const auto retention = strategy(GetParam());
  Examples examples(5);
  for (const std::size_t num_kept : {5u, 6u, 1000u}) {
    const Kept kept = keep(*retention, examples, num_kept);
    EXPECT_THAT(kept.places, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(kept.weights, examples.weights);
  }
}

TEST_P(EachRetention, KeepsAsManyAsItIsTold) {
  const auto retention = strategy(GetParam());
  for (const std::size_t size : {1u, 2u, 3u, 40u}) {
    Examples examples(size);
    for (std::size_t num_kept = 0; num_kept <= size; ++num_kept) {
      const Kept kept = keep(*retention, examples, num_kept);
      EXPECT_EQ(kept.places.size(), num_kept);
      EXPECT_EQ(kept.weights.size(), num_kept);
      const std::set<std::uint32_t> places(kept.places.begin(), kept.places.end());
      EXPECT_TRUE(std::equal(kept.places.begin(), kept.places.end(), places.begin(), places.end()))
          << "increasing, each once";
    }
  }
}

TEST_P(EachRetention, TakesWhatIsDegenerate) {
  const auto retention = strategy(GetParam());
  Examples weightless(std::vector<double>(20), 30), one_class(20), constant(20), no_features(20, 0),
      copies(20);
  std::fill(one_class.signs.begin(), one_class.signs.end(), std::int8_t(1));
  std::fill(constant.codes.begin(), constant.codes.end(), std::uint8_t(0));
  std::fill(copies.signs.begin(), copies.signs.end(), std::int8_t(-1));
  for (std::size_t i = 0; i < copies.codes.size(); ++i) copies.codes[i] = std::uint8_t(i % 20 < 10 ? 1 : 2);
  for (Examples* examples : {&weightless, &one_class, &constant, &no_features, &copies}) {
    const Kept kept = keep(*retention, *examples, 8);
    EXPECT_EQ(kept.places.size(), 8u);
    for (const double weight : kept.weights) EXPECT_TRUE(std::isfinite(weight));
  }
}

TEST_P(EachRetention, TheStreamDecidesAlone) {
  const auto retention = strategy(GetParam());
  Examples examples(std::vector<double>(60, .5), 30);
  const Kept first = keep(*retention, examples, 20, 1), again = keep(*retention, examples, 20, 1);
  EXPECT_EQ(first.places, again.places);
  EXPECT_EQ(first.weights, again.weights);
  // Here all features are used, and no two examples tie.
  const bool is_same = first.places == keep(*retention, examples, 20, 2).places;
  EXPECT_EQ(is_same, GetParam() == "geem");
}

TEST_P(EachRetention, IsTheSameOnEachInstructionSet) {
  const auto retention = strategy(GetParam());
  Examples examples(90, 400);
  const Kept expected = keep(*retention, examples, 40);
  for (const char* target : instruction_sets()) {
    ASSERT_TRUE(choose_instruction_set(target));
    const Kept kept = keep(*retention, examples, 40);
    EXPECT_EQ(kept.places, expected.places) << target;
    EXPECT_EQ(kept.weights, expected.weights) << target;
  }
  choose_instruction_set("");
}

TEST_P(EachRetention, MayBeUsedByManyThreadsAtOnce) {
  const auto retention = strategy(GetParam());
  Examples examples(60, 80);
  const Kept expected = keep(*retention, examples, 25);
  std::vector<Kept> found(4);
  std::vector<std::thread> threads;
  for (Kept& kept : found)
    threads.emplace_back([&] {
      Examples own(60, 80);
      kept = keep(*retention, own, 25);
    });
  for (std::thread& thread : threads) thread.join();
  for (const Kept& kept : found) EXPECT_EQ(kept.weights, expected.weights);
}

TEST_P(EachRetention, WantsASignForEachWeight) {
  Examples examples(5);
  examples.signs.pop_back();
  EXPECT_THROW(keep(*strategy(GetParam()), examples, 2), std::logic_error);
}

TEST(MaxRetention, KeepsTheHeaviest) {
  Examples examples({.1, .9, .3, .8, .2, .7}, 3);
  const Kept kept = keep(*strategy("max"), examples, 3);
  EXPECT_THAT(kept.places, ElementsAre(1, 3, 5));
  EXPECT_THAT(kept.weights, ElementsAre(.9, .8, .7));
}

TEST(MaxRetention, TiesAreRandom) {
  Examples examples({.5, .9, .5, .5, .1}, 3);
  const std::vector<double> shares = shares_kept(*strategy("max"), examples, 2);
  EXPECT_EQ(shares[4], 0);
  EXPECT_NEAR(shares[1], 1, 1e-9);
  for (const std::size_t place : {0u, 2u, 3u}) EXPECT_NEAR(shares[place], 1.0 / 3, kFourDeviations);
}

TEST(RandRetention, KeepsEachAsOften) {
  Examples examples({.5, .9, 0, .5, .1}, 3);
  for (const double share : shares_kept(*strategy("rand"), examples, 2))
    EXPECT_NEAR(share, .4, kFourDeviations);
}

TEST(RandRetention, LeavesWeightsAsTheyAre) {
  Examples examples(10);
  const Kept kept = keep(*strategy("rand"), examples, 4);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(kept.weights[i], examples.weights[kept.places[i]]);
}

TEST(WeightedRetention, InclusionProbabilities) {
  Examples examples({.5, .3, .2}, 3);
  const std::vector<double> shares = shares_kept(*strategy("wsam"), examples, 2);
  EXPECT_NEAR(shares[0], .839286, kFourDeviations);
  EXPECT_NEAR(shares[1], .675, kFourDeviations);
  EXPECT_NEAR(shares[2], .485714, kFourDeviations);
}

TEST(WeightedRetention, TakesWhatWeighsNothingLastAndAtRandom) {
  Examples examples({0, 1e-310, 0, std::numeric_limits<double>::denorm_min(), 0, 1}, 3);
  const std::vector<double> shares = shares_kept(*strategy("wsam"), examples, 4);
  for (const std::size_t place : {1u, 3u, 5u}) EXPECT_NEAR(shares[place], 1, 1e-9);
  for (const std::size_t place : {0u, 2u, 4u}) EXPECT_NEAR(shares[place], 1.0 / 3, kFourDeviations);
}

TEST(WeightedRetention, MayShareTheWeightOfAll) {
  Examples examples({.5, .25, .25, .5}, 3);
  const auto plain = strategy("wsam"), uniform = strategy("wsam", "uniform_weights", "true");
  const Kept kept = keep(*uniform, examples, 2), same = keep(*plain, examples, 2);
  EXPECT_EQ(kept.places, same.places);
  EXPECT_THAT(kept.weights, ElementsAre(.75, .75));
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(same.weights[i], examples.weights[same.places[i]]);
  Examples mostly_light({0, 0, .5, 0}, 3);
  EXPECT_THAT(keep(*uniform, mostly_light, 2).weights, ::testing::UnorderedElementsAre(0, .5));
}

TEST(GeemRetention, IsTheGreedyRemovalFromTheCovarianceOfTheFeatures) {
  Examples examples(40, 70);
  const Kept kept = keep(*strategy("geem", "lambda", "0.01"), examples, 25);
  EXPECT_EQ(examples.asked.size(), 70u) << "4 * 40 features are more than there are";
  const SymmetricMatrix covariance = edge_covariance(examples.codes, examples.signs);
  const auto inverse = regularised_inverse(covariance, .01);
  const std::vector<std::uint64_t> ties(40);
  const Kept expected = remove_greedily(*inverse, {examples.weights, ties}, 15);
  EXPECT_EQ(kept.places, expected.places);
  EXPECT_EQ(kept.weights, expected.weights);
}

TEST(GeemRetention, DrawsFourFeaturesForEachExampleAfresh) {
  Examples examples(10, 300);
  const auto retention = strategy("geem");
  std::vector<double> shares(300);
  std::set<std::vector<std::uint32_t>> draws;
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    keep(*retention, examples, 5, trial);
    ASSERT_EQ(examples.asked.size(), 40u);
    ASSERT_TRUE(std::is_sorted(examples.asked.begin(), examples.asked.end()));
    ASSERT_EQ(std::adjacent_find(examples.asked.begin(), examples.asked.end()), examples.asked.end());
    draws.insert(examples.asked);
    for (const std::uint32_t feature : examples.asked) shares[feature] += 1.0 / 2000;
  }
  EXPECT_EQ(draws.size(), 2000u);
  for (const double share : shares) EXPECT_NEAR(share, 40.0 / 300, 0.035);
  keep(*strategy("geem", "features", "all"), examples, 5);
  EXPECT_EQ(examples.asked.size(), 300u);
}

TEST(GeemRetention, WithoutStumpsKeepsTheHeaviest) {
  Examples examples({.1, .9, .3, .8, .2, .7}, 3);
  std::fill(examples.codes.begin(), examples.codes.end(), std::uint8_t(4));
  const Kept kept = keep(*strategy("geem"), examples, 3);
  EXPECT_THAT(kept.places, ElementsAre(1, 3, 5));
  EXPECT_THAT(kept.weights, ElementsAre(.9, .8, .7));
}

// The only stump is right, or wrong, on all at once, so that any two stand for the four.
TEST(GeemRetention, WhatStaysStandsForAll) {
  Examples examples({.3, .2, .4, .4}, 2);
  examples.signs = {1, 1, -1, -1};
  examples.codes = {1, 1, 9, 9, 5, 5, 5, 5};
  const Kept kept = keep(*strategy("geem", "lambda", "0.000001"), examples, 2);
  ASSERT_EQ(kept.weights.size(), 2u);
  EXPECT_NEAR(kept.weights[0] + kept.weights[1], 1.3, 1e-5);
}

TEST(GeemRetention, RefusesSettingsOutsideTheirRange) {
  for (const auto& [key, value] : {std::pair{"lambda", "0"}, {"lambda", "2"}, {"features", "some"}}) {
    Settings settings;
    settings.add(key, value, "file.yaml:3");
    const auto made = row_of("geem").make(settings);
    ASSERT_FALSE(made.ok()) << key;
    EXPECT_THAT(made.error().message, HasSubstr("file.yaml:3"));
  }
  Settings settings;
  settings.add("uniform_weights", "perhaps", "file.yaml:3");
  EXPECT_FALSE(row_of("wsam").make(settings).ok());
}

TEST(KeepByCovariance, FallsBackToARandomChoiceAndSaysSo) {
  Examples examples(6);
  const std::vector<std::uint64_t> ties{50, 10, 40, 20, 30, 60};
  SymmetricMatrix hopeless = testing::plus_lambda(SymmetricMatrix(6), -5);
  testing::HeardRemarks remarks;
  const Kept kept = keep_by_covariance(hopeless, 1e-3, {examples.weights, ties}, 3, remarks);
  EXPECT_THAT(kept.places, ElementsAre(1, 3, 4));
  EXPECT_THAT(kept.weights, ElementsAre(examples.weights[1], examples.weights[3], examples.weights[4]));
  ASSERT_EQ(remarks.warnings.size(), 1u);
  EXPECT_THAT(remarks.warnings[0], HasSubstr("at random"));
}

}  // namespace
}  // namespace mash
