// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "framework/base/rank_intervals.hpp"

namespace mash {

// How much better one entry of a ranking is than another.
struct PairDifference {
  double mean = 0;     // above 0: the first is better
  double error = 0;    // its standard error; 0: not known, so that nothing follows from the mean
  double degrees = 1;  // of freedom of the error
};

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
};

// difference(i, j): of entry i to entry j, asked for once for each i < j. alpha: the probability of a miss.
// Takes time for the pairs, and little more: p-values are computed near the critical value alone.
std::vector<RankSet> rank_sets(std::size_t num_entries,
                               const std::function<PairDifference(std::size_t, std::size_t)>& difference,
                               double alpha = .05);

}  // namespace mash
