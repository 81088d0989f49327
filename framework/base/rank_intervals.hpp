// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace mash {

// Scores of a competitor on each occasion, by the occasion's number: higher is better.
using OccasionScores = std::map<std::int64_t, double>;

// The ranks that a competitor may have, 1 the best.
struct RankInterval {
  std::int64_t low = 1, high = 1;
};

// One is surely better than another where the paired t-test over the occasions that both were at says so at
// 5 %, corrected for all pairs that could be tested (Holm 1979): those with three occasions at least, whose
// differences are not all the same (errors are multiples of one example: a few equal differences may be
// chance). low: one more than are surely better; high: all but those that are surely worse. Intervals that do
// not overlap are surely apart.
std::vector<RankInterval> rank_intervals(std::span<const OccasionScores> competitors);

// A score with its standard error, a mean over num_seeds seeds.
struct MeasuredScore {
  double score = 0;
  double standard_error = 0;
  std::size_t num_seeds = 2;
};

// The same of scores of which only the errors are known. One is surely better than another where Student's t
// of their difference says so at 5 %, corrected for all pairs (Holm): its squared error is the sum of both,
// its degrees of freedom are those of the fewer seeds. What errors have in common, such as the examples, is
// not taken off, so that too few are told apart rather than too many. REQUIRES: two seeds each.
std::vector<RankInterval> measured_rank_intervals(std::span<const MeasuredScore> competitors);

}  // namespace mash
