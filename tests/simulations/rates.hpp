// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/base/mean_error.hpp"

// Intervals and tests on made data whose truth is known: how often they are wrong.
namespace mash::simulated {

// The size of a table, and the expected mean squares of its seeds and examples, as multiples of what is left.
// 1: a seed, or an example, has nothing that all its values share.
struct Design {
  std::size_t num_seeds = 2, num_examples = 1000;
  double seeds = 1, examples = 1;
};

struct Rates {
  double missed = 0;  // the share of the intervals that leave out the truth
  double width = 0;   // their mean width, against that of one who knows the expected mean squares
};

// Half an interval around a mean.
using Reach = double(const MeanError& error, double miss);
double own_reach(const MeanError& error, double miss);  // MeanError::reach
// One Student's t for the standard error, with the degrees of freedom of the sum (Satterthwaite 1946).
double satterthwaite_reach(const MeanError& error, double miss);

// Tables of normal values, of which only the mean and the mean squares are drawn: these are independent, a
// normal number and multiples of chi-squares.
Rates of_tables(const Design& design, Reach& reach, double miss, std::size_t num_draws, std::uint64_t seed);
// The same from all values of each table, by PairedDifferences.
Rates of_whole_tables(const Design& design, std::size_t num_draws, std::uint64_t seed);

// Two classifiers that are equally good on all examples that there are.
enum class Mistakes01 {
  kSameEachSeed,    // the examples that only one of them gets wrong are the same with each seed
  kOthersEachSeed,  // others with each seed
  kSeedsLeanOver,   // with some seeds the first is the better one, with some the second
};
// Student's t by seeds and examples (difference_over_both), or McNemar's test where there is one seed.
// num_changed: examples that one of two runs gets wrong and the other does not, on average.
Rates of_mistakes(Mistakes01 kind, const Design& design, double num_changed, std::size_t num_draws,
                  std::uint64_t seed);

// The share of offer tests of nothing in which any look up to most_seeds says that there is something.
double wrong_by_any_look(const Design& design, std::size_t most_seeds, std::size_t num_draws,
                         std::uint64_t seed);

// The share of comparisons of equal sides in which any pair is told apart, corrected for all pairs.
double wrong_by_any_pair(std::size_t num_sides, const Design& design, std::size_t num_draws,
                         std::uint64_t seed);

}  // namespace mash::simulated
