// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace mash {

// What a competitor scored on each occasion, by the occasion's number: higher is better.
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

}  // namespace mash
