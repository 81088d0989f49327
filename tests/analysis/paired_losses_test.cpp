// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/paired_losses.hpp"

#include <cmath>

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

TEST(PairedLosses, GainsAreTheMeansOfTheExamplesGains) {
  const PairedLosses losses = worked_example();
  EXPECT_NEAR(losses.gains()[0], 100 * std::log(1 / .85), 1e-9);
  EXPECT_NEAR(losses.of_examples().mean(), losses.gain(), 1e-9);
  // Both seeds whose mean difference is .1 have the same gain, so that three gains have this spread.
  const double apart = 100 * std::log(.9 / .85), variance = apart * apart / 3;
  EXPECT_NEAR(losses.of_examples().mean_squares().seeds, 4 * variance, 1e-9);
}

TEST(GainError, TakesTheSpreadOverSeedsToBeAtLeastSoLarge) {
  const PairedLosses losses = worked_example();
  const MeanSquares own = gain_error(losses, 0).squares, least = gain_error(losses, 10).squares;
  EXPECT_EQ(own, losses.of_examples().mean_squares());
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
    gains.push_back(statistics_of(losses.gains()).mean);
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
  EXPECT_THROW(losses.of_examples().mean_squares(), std::logic_error) << "one seed has no spread";
}

TEST(ExampleGains, AddUpToTheGainOfTheSeed) {
  const std::vector<double> before{1, .5, .25}, after{.5, .5, .3};
  const auto gains = example_gains(before, after);
  EXPECT_NEAR((gains[0] + gains[1] + gains[2]) / 3, 100 * std::log(1.75 / 1.3), 1e-12);
  EXPECT_EQ(gains[1], 0);
  EXPECT_NEAR(gains[2] / gains[0], -.1, 1e-12);
  const std::vector<double> turned{.25, 1, .5};
  EXPECT_NEAR(example_gains(before, turned)[0], 100 * .75 / (1.75 / 3), 1e-12) << "of equal means too";
}

}  // namespace
}  // namespace mash
