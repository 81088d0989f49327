// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
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
  bool are_equal = false;  // in all that was measured, so that neither seeds nor examples part them
};
using DifferenceOf = std::function<PairDifference(std::size_t, std::size_t)>;

// The ranks of one of J entries.
struct RankSet {
  // Its own set, which holds its rank with 95 %: one-sided tests against the J - 1 others in both directions,
  // corrected for these 2 (J - 1) (Holm); one more than those that are surely better ... all but those that
  // are surely worse (Mogstad, Romano, Shaikh & Wilhelm 2024, "Inference for ranks with applications to
  // mobility across neighbourhoods and academic achievement across countries", Review of Economic Studies
  // 91).
  RankInterval own = {};
  // The same corrected for all J (J - 1) tests: the sets of all entries together hold all ranks with 95 %.
  RankInterval together = {};
  // The mean of its rank if errors are normal: one more than the sum of the probabilities that another one is
  // better, equal ones counted as a half.
  double expected = 1;
  // Entries that may be better or worse (by own), except equal ones: those that more seeds may part from it,
  // in their order; and how many stay so with any number of seeds, as the examples' part of the error alone
  // is too large for a difference that may still rise or fall by twice the seeds' part.
  std::vector<std::size_t> open_to_seeds = {};
  std::size_t num_beyond_seeds = 0;
  // How many times as many examples would part it from the easiest of those that stay open, about (0: there
  // is none).
  double wanted_examples = 0;

  std::size_t num_open() const { return open_to_seeds.size() + num_beyond_seeds; }
  // Whether more seeds are of no use to its set.
  bool is_limited_by_examples() const { return open_to_seeds.empty() && num_beyond_seeds > 0; }
  // wanted_examples times num_examples, in whole ones; 0: there is none, or they are more than 1e9.
  std::size_t num_wanted(std::size_t num_examples) const;
};

// difference(i, j): of entry i to entry j, asked for once for each i < j. alpha: the probability of a miss.
// Takes time for the pairs, and little more: p-values are computed near the critical value alone.
std::vector<RankSet> rank_sets(std::size_t num_entries, const DifferenceOf& difference, double alpha = .05);

// The entry to be measured with twice as many seeds. Begun with the one of the most ranks, of equal ones the
// best: of it and the entries whose order to it more seeds may tell, the one with the fewest seeds, as two
// are told apart by the seeds that both have; of equal ones the first, and it before all. From that one it
// goes on in the same way, until none has fewer: so the seeds of a pair that stays open differ by one
// doubling at most. Nothing where more seeds are of no use, or would be more than most_seeds. num_seeds: of
// each entry.
std::optional<std::size_t> next_to_measure(std::span<const RankSet> sets,
                                           std::span<const std::size_t> num_seeds, std::size_t most_seeds);

// Pairs (i < j) of which all losses may tell more than their sums: errors of sums are at most sqrt(2) times
// too large, and of other degrees of freedom (LossTable::difference against exact_difference). So pairs count
// that are open and would not be with the smallest error, and those that are apart with a t at most 1.3 times
// their critical value. Those nearest to it come first, at most `most`.
std::vector<std::pair<std::size_t, std::size_t>> pairs_near_limit(std::size_t num_entries,
                                                                  const DifferenceOf& difference,
                                                                  double alpha, std::size_t most);

}  // namespace mash
