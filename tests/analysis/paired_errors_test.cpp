// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/paired_errors.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "framework/base/random.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

TEST(DifferenceOverExamples, McNemarWorkedByHand) {
  // Ten examples: three that only the second gets right, one that only the first does, two that neither does.
  const Mistakes first{{1, 1, 1, 0, 1, 1, 0, 0, 0, 0}}, second{{0, 0, 0, 1, 1, 1, 0, 0, 0, 0}};
  const PairedDifference difference = difference_over_examples(first, second);
  EXPECT_NEAR(difference.mean, -.2, 1e-12);
  EXPECT_NEAR(*difference.p_value, 2 * 5. / 16 - 4. / 16, 1e-12) << "X ~ B(4, 1/2), mid-p";
  // Bonett and Price: 4 / 12 and 2 / 12.
  const double error = std::sqrt((.5 - 1. / 36) / 12);
  EXPECT_NEAR(difference.interval->low, -1. / 6 - 1.959964 * error, 1e-6);
  EXPECT_NEAR(difference.interval->high, -1. / 6 + 1.959964 * error, 1e-6);
  EXPECT_NEAR(*difference.visible, (1.959964 + .841621) * std::sqrt(.5 / 12), 1e-6);
}

TEST(DifferenceOverExamples, EqualPredictionsDoNotMakeThemEqual) {
  const Mistakes both{{1, 0, 0, 0, 0, 0, 0, 0}};
  const PairedDifference difference = difference_over_examples(both, both);
  EXPECT_EQ(difference.mean, 0);
  EXPECT_EQ(*difference.p_value, 1);
  EXPECT_GT(difference.interval->high, .2) << "of eight examples little is known";
  EXPECT_NEAR(difference.interval->low, -difference.interval->high, 1e-12);
  const Mistakes twice{both[0], both[0]};
  EXPECT_NEAR(difference_over_examples(twice, both).interval->high, difference.interval->high, 1e-12);
}

TEST(DifferenceOverExamples, SeveralRunsAreSharesOfEachExample) {
  // Shares of the first: 1, 1/2, 0, 0; of the second, one run: 0, 0, 0, 1. Differences: -1, -1/2, 0, 1.
  const Mistakes first{{1, 1, 0, 0}, {1, 0, 0, 0}}, second{{0, 0, 0, 1}};
  const PairedDifference difference = difference_over_examples(first, second);
  const double mean = -.125, sd = std::sqrt((.875 * .875 + .375 * .375 + .125 * .125 + 1.125 * 1.125) / 3);
  EXPECT_NEAR(difference.mean, mean, 1e-12);
  EXPECT_NEAR(*difference.p_value, student_p_value(mean / (sd / 2), 3), 1e-12);
  EXPECT_NEAR(difference.interval->high - mean, 3.182446 * sd / 2, 1e-5);
}

TEST(DifferenceOverSeeds, WorkedByHand) {
  const std::vector<double> first{.10, .10, .10}, second{.12, .14, .16};
  const PairedDifference difference = difference_over_seeds(first, second);
  const double error = .02 / std::sqrt(3.);
  EXPECT_NEAR(difference.mean, .04, 1e-12);
  EXPECT_NEAR(*difference.p_value, .0741799, 1e-6);
  EXPECT_NEAR(difference.interval->low, .04 - 4.302653 * error, 1e-6);
  EXPECT_NEAR(*difference.visible, (4.302653 + 1.060660) * error, 1e-6);
}

// 10 % and 90 % against 80 % and 30 %: a mean of .05, an error of .65, and t of one degree of freedom.
TEST(WithinErrors, CutsWhatErrorsCannotBe) {
  const std::vector<double> first{.1, .9}, second{.8, .3};
  const PairedDifference uncut = difference_over_seeds(first, second), cut = within_errors(uncut);
  EXPECT_NEAR(uncut.interval->high, .05 + 12.7062 * .65, 1e-4);
  EXPECT_EQ(*cut.interval, (Interval{-1, 1}));
  EXPECT_FALSE(cut.visible);
  EXPECT_EQ(cut.mean, uncut.mean);
  EXPECT_EQ(cut.p_value, uncut.p_value);
  EXPECT_EQ(*cut.with_miss(.01).interval, (Interval{-1, 1})) << "corrected ones too";
  const std::vector<double> low{.10, .10, .10}, high{.12, .14, .16};
  const PairedDifference within = difference_over_seeds(low, high);
  EXPECT_EQ(*within_errors(within).interval, *within.interval);
  EXPECT_EQ(within_errors(within).visible, within.visible);
}

TEST(DifferenceOverSeeds, ThoseThatDifferAlikeSayNothingOfTheSpread) {
  const std::vector<double> first{.10, .20}, second{.11, .21};
  const PairedDifference difference = difference_over_seeds(first, second);
  EXPECT_NEAR(difference.mean, .01, 1e-12);
  EXPECT_FALSE(difference.p_value || difference.interval || difference.visible);
  EXPECT_EQ(difference_over_seeds(first, first).p_value, 1);
}

TEST(DifferenceOverBoth, WorkedByHand) {
  // Differences of two seeds on four examples: 1 0 0 1 and 1 0 0 0. The seeds' mean square is no larger than
  // what is left, which stands for it: 12.706 (t of 1) against 3.1824 (of 3) for both.
  const Mistakes first{{0, 0, 1, 0}, {0, 1, 0, 0}}, second{{1, 0, 1, 1}, {1, 1, 0, 0}};
  const double seeds = .125, examples = .6875 * 2 / 3, rest = .125;
  const double t_seeds = 12.70620 * 12.70620, t_others = 3.182446 * 3.182446;
  const double reach = std::sqrt((t_seeds * seeds + t_others * examples - t_others * rest) / 8);
  const PairedDifference difference = difference_over_both(first, second);
  EXPECT_NEAR(difference.mean, .375, 1e-12);
  EXPECT_NEAR(difference.error->standard_error(), std::sqrt((seeds + examples - rest) / 8), 1e-12);
  EXPECT_NEAR(difference.interval->low, .375 - reach, 1e-5);
  EXPECT_NEAR(difference.interval->high, .375 + reach, 1e-5);
  EXPECT_NEAR(difference.with_miss(*difference.p_value).interval->low, 0, 1e-9) << "where p is on the edge";
}

// Two seeds that agree by chance say no more than the examples alone.
TEST(DifferenceOverBoth, SeedsThatAgreeMakeNothingCertain) {
  Mistakes first(2, std::vector<std::uint8_t>(200)), second = first;
  // Each seed has nine mistakes mended and two made, on other examples.
  for (std::size_t s = 0; s < 2; ++s) {
    for (std::size_t n = 0; n < 9; ++n) first[s][20 * s + n] = 1;
    for (std::size_t n = 9; n < 11; ++n) second[s][20 * s + n] = 1;
  }
  const PairedDifference difference = difference_over_both(first, second);
  EXPECT_EQ(difference.error->squares.seeds, 0);
  EXPECT_NEAR(std::pow(difference.error->standard_error(), 2), difference.error->squares.rest / 400, 1e-12);
}

TEST(CorrectTogether, IntervalsLeaveOutNothingWhereTheCorrectedPIsNoLessThanFivePerCent) {
  std::vector<PairedDifference> differences;
  for (const double mean : {.1, 1.2, 1.6, 1.75, 2.2, 9., -1.8})
    differences.push_back(difference_with_error(mean, error_over_seeds(1, 4)));
  // McNemar's tests too, whose intervals are another method's.
  for (const std::size_t num_mended : {5, 6, 8, 20}) {
    Mistakes first{std::vector<std::uint8_t>(100)}, second = first;
    for (std::size_t n = 0; n < num_mended; ++n) first[0][n] = 1;
    differences.push_back(difference_over_examples(first, second));
  }
  for (const bool is_corrected : {false, true}) {
    std::vector<PairedDifference*> together;
    for (PairedDifference& difference : differences) together.push_back(&difference);
    std::vector<std::optional<double>> p_values;
    for (const PairedDifference& difference : differences) p_values.push_back(difference.p_value);
    if (is_corrected) p_values = correct_together(together);
    int num_told = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      const Interval& interval = *differences[i].interval;
      EXPECT_EQ(interval.low > 0 || interval.high < 0, *p_values[i] < .05) << i << ", " << *p_values[i];
      EXPECT_LE(interval.low, differences[i].mean);
      EXPECT_GE(interval.high, differences[i].mean);
      num_told += *p_values[i] < .05;
    }
    EXPECT_EQ(num_told, is_corrected ? 3 : 9);
  }
}

TEST(DifferenceWithError, AnErrorOfNothingSaysNothing) {
  EXPECT_FALSE(difference_with_error(.1, error_over_seeds(0, 4)).p_value);
  EXPECT_EQ(difference_with_error(0, error_over_seeds(0, 4)).p_value, 1);
}

// Two classifiers whose mistakes have examples and seeds in common. share: of the examples that the second
// gets wrong though the first does not.
struct Pair {
  Mistakes first, second;
};
Pair drawn(std::size_t num_seeds, std::size_t num_examples, double share, RandomStream& stream) {
  Pair pair{Mistakes(num_seeds, std::vector<std::uint8_t>(num_examples)), {}};
  pair.second = pair.first;
  for (std::size_t n = 0; n < num_examples; ++n) {
    const double hard = .5 * stream.uniform(), broken = stream.uniform() < share ? .9 : 0;
    for (std::size_t s = 0; s < num_seeds; ++s) {
      pair.first[s][n] = stream.uniform() < hard;
      pair.second[s][n] = stream.uniform() < std::max(hard, broken);
    }
  }
  return pair;
}

TEST(DifferenceOverBoth, NoDifferenceIsSeldomSeenAsOne) {
  RandomStream stream(1, "no difference");
  constexpr int kTables = 600;
  int num_seen = 0, num_outside = 0;
  for (int table = 0; table < kTables; ++table) {
    const Pair pair = drawn(3, 300, 0, stream);
    const PairedDifference difference = difference_over_both(pair.first, pair.second);
    num_seen += *difference.p_value < .05;
    num_outside += difference.interval->low > 0 || difference.interval->high < 0;
  }
  EXPECT_EQ(num_seen, num_outside) << "the interval and the test agree";
  EXPECT_LT(num_seen, int(.08 * kTables)) << "5 % and three standard errors";
}

// A difference that is said to be seen in four of five comparisons is.
TEST(DifferenceOverExamples, WhatWouldBeSeenIsSeen) {
  RandomStream stream(2, "visible");
  constexpr int kTables = 400;
  constexpr std::size_t kExamples = 400;
  double visible = 0;
  for (int table = 0; table < kTables; ++table) {
    const Pair pair = drawn(1, kExamples, 0, stream);
    visible += *difference_over_examples(pair.first, pair.second).visible / kTables;
  }
  // The second gets wrong what only it gets wrong: a share of all examples that are right by chance.
  int num_seen = 0;
  double mean = 0;
  for (int table = 0; table < kTables; ++table) {
    const Pair pair = drawn(1, kExamples, visible / .67, stream);
    const PairedDifference difference = difference_over_examples(pair.first, pair.second);
    num_seen += *difference.p_value < .05;
    mean += difference.mean / kTables;
  }
  EXPECT_NEAR(mean, visible, .1 * visible) << "the difference that was made";
  EXPECT_NEAR(double(num_seen) / kTables, .8, .1);
}

TEST(MistakesOn, AreThoseOfTheExamples) {
  const Mistakes all{{1, 0, 1}, {0, 0, 1}};
  const std::size_t some[] = {2, 0};
  EXPECT_EQ(mistakes_on(all, some), (Mistakes{{1, 1}, {1, 0}}));
  EXPECT_NEAR(error_of(all[0]), 2. / 3, 1e-12);
}

}  // namespace
}  // namespace mash
