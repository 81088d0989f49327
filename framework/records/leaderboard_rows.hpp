// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/rank_intervals.hpp"
#include "framework/records/records.hpp"
#include "framework/render/table.hpp"

namespace mash {

enum class LeaderboardBy { kHeuristic, kContributor, kExperiment, kStrategy };

// "heuristic", "contributor", "experiment" or "strategy"; other words are a kInput error that lists these.
Result<LeaderboardBy> parse_leaderboard_by(std::string_view word);

// One competitor of a leaderboard.
struct LeaderboardRow {
  // By the columns of the view (docs/records.md), among them "rank", of heuristics also what an offer test
  // found ("gain", "gain_se", "num_seeds", ...); nothing where it is NULL.
  std::map<std::string, Cell, std::less<>> values;
  // Ranks compare the rows of one contest: all, those on the same data with the same means, or those that
  // were offered beside the same pool.
  std::string contest;
  // In each run (heuristics, contributors) or of each seed (experiments, strategies) that counts.
  OccasionScores scores;
};

// All competitors with a finished run, contest by contest, best first; none in an empty database.
Result<std::vector<LeaderboardRow>> read_leaderboard(const RecordsReader& records, LeaderboardBy by);

}  // namespace mash
