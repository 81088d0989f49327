// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "framework/base/rank_intervals.hpp"

namespace mash {

// How much better one entry of a ranking is than another.
struct PairDifference {
  double mean = 0;     // above 0: the first is better
  double error = 0;    // its standard error; 0: not known, so that nothing follows from the mean
  double degrees = 1;  // of freedom of the error
  // The part of the error that more seeds leave as it is: the examples'. 0: not known.
  double of_examples = 0;
};
using DifferenceOf = std::function<PairDifference(std::size_t, std::size_t)>;

// The ranks of one of J entries.
struct RankSet {
  // Its own set, which holds its rank with 95 %: one-sided tests against the J - 1 others in both directions,
  // corrected for these 2 (J - 1) (Holm); one more than those that are surely better ... all but those that
  // are surely worse (Mogstad, Romano, Shaikh & Wilhelm 2024, "Inference for ranks with applications to
  // mobility across neighbourhoods and academic achievement across countries", Review of Economic Studies
  // 91).
  RankInterval own;
  // The same corrected for all J (J - 1) tests: the sets of all entries together hold all ranks with 95 %.
  RankInterval together;
  // The mean of its rank if errors are normal: one more than the sum of the probabilities that another one is
  // better, equal ones counted as a half.
  double expected = 1;
  // Entries that may be better or worse (by own). Of these: how many stay so with any number of seeds, as the
  // examples' part of the error alone is too large; and how many times as many examples would part it from
  // the easiest of them, about (0: there is none).
  std::size_t num_open = 0, num_beyond_seeds = 0;
  double wanted_examples = 0;

  // Whether more seeds are of no use to its set.
  bool is_limited_by_examples() const { return num_open > 0 && num_beyond_seeds == num_open; }
};

// difference(i, j): of entry i to entry j, asked for once for each i < j. alpha: the probability of a miss.
// Takes time for the pairs, and little more: p-values are computed near the critical value alone.
std::vector<RankSet> rank_sets(std::size_t num_entries, const DifferenceOf& difference, double alpha = .05);

// Pairs (i < j) whose order is open and would not be with a smaller error, which is at most sqrt(2) times too
// large (LossTable::difference against exact_difference): those nearest to their critical value first, at
// most `most`.
std::vector<std::pair<std::size_t, std::size_t>> pairs_near_limit(std::size_t num_entries,
                                                                  const DifferenceOf& difference,
                                                                  double alpha, std::size_t most);

}  // namespace mash
