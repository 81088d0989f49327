// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace mash {

// What a competitor scored on each occasion, by the occasion's number: higher is better.
using Scores = std::map<std::int64_t, double>;

// The ranks that a competitor may have, 1 the best.
struct RankInterval {
  std::int64_t low = 1, high = 1;
};

// One is surely better than another where the paired t-test over the occasions that both were at (two at
// least) says so at 5 %, corrected for all pairs that could be tested (Holm 1979). low: one more than are
// surely better; high: all but those that are surely worse. Competitors whose intervals overlap are tied.
std::vector<RankInterval> rank_intervals(std::span<const Scores> competitors);

}  // namespace mash
