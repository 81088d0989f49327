// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/paired_losses.hpp"

#include <cmath>

#include "framework/analysis/paired_differences.hpp"
#include "framework/base/random.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

// Differences of three seeds on four examples.
const std::vector<std::vector<double>> kWorked{{.3, .1, .2, 0}, {.1, 0, .2, .1}, {.2, .2, .05, -.05}};

// The same, on top of a loss of 1.
PairedLosses worked_example() {
  PairedLosses losses(4);
  for (const auto& of_seed : kWorked) {
    const std::vector<double> before(4, 1.0);
    std::vector<double> after;
    for (const double difference : of_seed) after.push_back(1 - difference);
    losses.add(before, after);
  }
  return losses;
}

TEST(PairedDifferences, WorkedByHand) {
  PairedDifferences table(4);
  for (const auto& of_seed : kWorked) table.add(of_seed);
  EXPECT_NEAR(table.mean(), .1166667, 1e-7);
  EXPECT_NEAR(table.mean(0), .2, 1e-12);
  const MeanSquares squares = table.mean_squares();
  EXPECT_NEAR(squares.seeds, .0033333, 1e-7);
  EXPECT_NEAR(squares.examples, .0183333, 1e-7);
  EXPECT_NEAR(squares.rest, .01, 1e-9);
  // The seeds' mean square is below what is left, which takes its place.
  EXPECT_NEAR(std::pow(table.error().standard_error(), 2), .0183333 / (3 * 4), 1e-8);
}

// Mean losses of 1 and .8833333: z = 100 (1 / 1 - (1 - d) / .8833333) = 113.2075 (d - .1166667), whose mean
// squares are 12815.95 times those of d.
TEST(PairedLosses, WorkedByHand) {
  const PairedLosses losses = worked_example();
  EXPECT_NEAR(losses.mean_after(), .8833333, 1e-7);
  EXPECT_NEAR(losses.gain(), 12.4053, 1e-4);
  EXPECT_NEAR(losses.gain_factor(), 12.4053 / .1166667, 1e-3);
  EXPECT_NEAR(losses.seed_gains()[0], 100 * std::log(1 / .85), 1e-9);
  const MeanSquares squares = losses.error().squares;
  EXPECT_NEAR(squares.seeds, 42.7198, 1e-3);
  EXPECT_NEAR(squares.examples, 234.9591, 1e-3);
  EXPECT_NEAR(squares.rest, 128.1595, 1e-3);
  EXPECT_NEAR(losses.error().standard_error(), 4.4249, 1e-4);
}

// z = 113.2075 (d - .1166667): the seeds' sums of d are .6, .4 and .4, the examples' .6, .3, .45 and .05.
TEST(PairedLosses, TheSumsOfAGainAreThoseOfItsTable) {
  const GainSums sums = worked_example().gain_sums();
  EXPECT_NEAR(sums.gain, 12.4053, 1e-4);
  ASSERT_EQ(sums.z.of_seeds.size(), 3u);
  ASSERT_EQ(sums.z.of_examples.size(), 4u);
  EXPECT_NEAR(sums.z.of_seeds[0], 113.2075 * (.6 - 4 * .1166667), 1e-3);
  EXPECT_NEAR(sums.z.of_seeds[2], 113.2075 * (.4 - 4 * .1166667), 1e-3);
  EXPECT_NEAR(sums.z.of_examples[0], 113.2075 * (.6 - 3 * .1166667), 1e-3);
  EXPECT_NEAR(sums.z.of_examples[3], 113.2075 * (.05 - 3 * .1166667), 1e-3);
}

// The table of a * before - b * after, summed up at once.
TEST(PairedLosses, MeanSquaresAreThoseOfTheTable) {
  RandomStream stream(5, "test.tables");
  PairedLosses losses(7);
  PairedDifferences table(7);
  for (int seed = 0; seed < 5; ++seed) {
    std::vector<double> before, after, both;
    for (int n = 0; n < 7; ++n) {
      before.push_back(stream.uniform());
      after.push_back(stream.uniform());
      both.push_back(3 * before.back() - 2 * after.back());
    }
    losses.add(before, after);
    table.add(both);
  }
  const MeanSquares found = losses.mean_squares(3, 2), expected = table.mean_squares();
  EXPECT_NEAR(found.seeds, expected.seeds, 1e-9);
  EXPECT_NEAR(found.examples, expected.examples, 1e-9);
  EXPECT_NEAR(found.rest, expected.rest, 1e-9);
}

// A seed with a small loss weighs no more than its share, though it halves that loss.
TEST(PairedLosses, GainIsARatioOfMeans) {
  PairedLosses losses(2);
  losses.add(std::vector<double>{1, 1}, std::vector<double>{.9, .9});
  losses.add(std::vector<double>{1e-6, 1e-6}, std::vector<double>{1e-9, 1e-9});
  EXPECT_NEAR(losses.gain(), 100 * std::log(1 / .9), 1e-3);
  EXPECT_NEAR(losses.seed_gains()[1], 100 * std::log(1000), 1e-6);
}

TEST(PairedLosses, WhatBothModelsHaveInCommonIsNoError) {
  PairedLosses losses(3);
  for (const double of_seed : {1., 1.5, .7, 2.}) {
    const std::vector<double> before{of_seed, 2 * of_seed, .1 * of_seed};
    losses.add(before, std::vector<double>{.8 * before[0], .8 * before[1], .8 * before[2]});
  }
  EXPECT_NEAR(losses.gain(), 100 * std::log(1 / .8), 1e-9);
  EXPECT_NEAR(losses.error().standard_error(), 0, 1e-5);
}

TEST(GainError, TakesTheSpreadOverSeedsToBeAtLeastSoLarge) {
  const PairedLosses losses = worked_example();
  const MeanSquares own = gain_error(losses, 0).squares, least = gain_error(losses, 10).squares;
  EXPECT_EQ(own, losses.error().squares);
  EXPECT_NEAR(least.seeds, 4 * 100, 1e-9);
  EXPECT_EQ(least.examples, own.examples);
  EXPECT_NEAR(gain_error(losses, 10).standard_error(), std::sqrt((400 + own.examples - own.rest) / (3 * 4)),
              1e-9);
}

// Differences that are the sum of a seed's, an example's and a share of both: over many tables the mean gain
// spreads as its standard error says.
TEST(PairedLosses, ErrorIsTheSpreadOverTables) {
  constexpr std::size_t kSeeds = 6, kExamples = 200, kTables = 400;
  constexpr double kSeedSd = .004, kExampleSd = .1, kRestSd = .05;
  RandomStream stream(1, "tables");
  std::vector<double> gains;
  double mean_variance = 0;
  for (std::size_t table = 0; table < kTables; ++table) {
    std::vector<double> of_example;
    for (std::size_t n = 0; n < kExamples; ++n) of_example.push_back(kExampleSd * stream.normal());
    PairedLosses losses(kExamples);
    for (std::size_t s = 0; s < kSeeds; ++s) {
      const double of_seed = kSeedSd * stream.normal();
      std::vector<double> after;
      for (const double difference : of_example)
        after.push_back(1 - .02 - difference - of_seed - kRestSd * stream.normal());
      losses.add(std::vector<double>(kExamples, 1.0), after);
    }
    gains.push_back(losses.gain());
    mean_variance += std::pow(gain_error(losses, 0).standard_error(), 2) / kTables;
  }
  // 400 tables give a standard deviation to one part in 28; the squares of three parts in 28 are allowed.
  EXPECT_NEAR(std::sqrt(mean_variance) / statistics_of(gains).sd, 1, 3. / 28);
}

TEST(PairedLosses, SizesThatDoNotFitAreRefused) {
  PairedLosses losses(2);
  const std::vector<double> two(2, 1.0), three(3, 1.0);
  EXPECT_THROW(losses.add(two, three), std::logic_error);
  losses.add(two, two);
  EXPECT_THROW(losses.error(), std::logic_error) << "one seed has no spread";
}

TEST(PairedLosses, DifferencesTimesTheFactorAddUpToTheGain) {
  PairedLosses losses(3);
  const std::vector<double> before{1, .5, .25}, after{.5, .5, .3};
  losses.add(before, after);
  const auto differences = loss_differences(before, after);
  EXPECT_NEAR(losses.gain_factor() * (differences[0] + differences[1] + differences[2]) / 3, losses.gain(),
              1e-12);
  PairedLosses equal(3);
  equal.add(before, std::vector<double>{.25, 1, .5});
  EXPECT_NEAR(equal.gain_factor(), 100 / (1.75 / 3), 1e-12) << "of equal means too";
}

}  // namespace
}  // namespace mash
