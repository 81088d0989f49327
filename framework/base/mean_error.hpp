// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

namespace mash {

// The probability with which intervals miss the truth where nothing else is said.
inline constexpr double kMiss = .05;
// Intervals of fewer seeds are wide by the few seeds alone; from the second number on, they are at most a
// quarter wider than they had to be.
inline constexpr std::size_t kFewSeeds = 4, kEnoughSeeds = 8;

// The tail at which tests of many differences are matched: about what a pair spends among 50 entries.
inline constexpr double kTestTail = 1e-4;

struct Interval {
  double low = 0, high = 0;
  bool operator==(const Interval&) const = default;
};

// The mean squares of a two-way table, seeds by examples, without repetition.
struct MeanSquares {
  double seeds = 0;     // between seeds, S - 1 degrees of freedom
  double examples = 0;  // between examples, E - 1
  double rest = 0;      // what is left, (S - 1)(E - 1)
  bool operator==(const MeanSquares&) const = default;
};

// The error of a mean over S seeds and E examples, both drawn at random: of every gain, of every difference
// of errors, and of parts of them. Values of seeds alone are a table of one example, and the reverse.
//
//   SE^2 = (max(MS_seeds, MS_rest) + max(MS_examples, MS_rest) - MS_rest) / (S E)
//
// The square of half an interval is the same sum of mean squares that are each multiplied first by the square
// of Student's t for their own degrees of freedom (Banerjee 1960, "Approximate confidence interval for linear
// functions of means of k populations when the population variances are not equal"). One t with the degrees
// of freedom of the sum (Satterthwaite 1946) misses too often where the seeds' part of few seeds is small by
// chance: docs/decisions/0010-error-of-a-mean.md has both, simulated.
struct MeanError {
  MeanSquares squares;
  std::size_t num_seeds = 1, num_examples = 1;

  double standard_error() const;
  // Half the width of the interval that misses the truth with this probability. REQUIRES: 0 < miss <= 1.
  double reach(double miss = kMiss) const;
  Interval around(double mean, double miss = kMiss) const;
  // The largest probability of a miss for which the interval around `mean` leaves out 0: the two-sided p of
  // no difference. Nothing where the error is 0 and the mean is not: equal values may be chance.
  std::optional<double> p_value(double mean) const;
  // The degrees of freedom of the one Student's t that goes as far at kTestTail as the interval that misses
  // there to either side. There those of Satterthwaite are too many where seeds are few. 1 where the error is
  // 0.
  double tail_degrees() const;
  // The error with another number of seeds, about: the examples' share of it stays.
  MeanError with_seeds(std::size_t other) const;

  bool operator==(const MeanError&) const = default;
};

// The error of a mean over values of which this is the standard deviation: one of each seed, or each example.
MeanError error_over_seeds(double sd, std::size_t num_seeds);
MeanError error_over_examples(double sd, std::size_t num_examples);

// About how many seeds it takes, two at least, until the interval reaches no farther than `distance` to
// either side. 0 where no number does: there are too few examples.
std::size_t seeds_to_reach(double distance, const MeanError& error, double miss = kMiss);

}  // namespace mash
