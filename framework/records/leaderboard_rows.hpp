// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/credit_parts.hpp"
#include "framework/base/loss_sums.hpp"
#include "framework/base/rank_intervals.hpp"
#include "framework/records/records.hpp"
#include "framework/render/table.hpp"

namespace mash {

enum class LeaderboardBy { kHeuristic, kContributor, kExperiment, kStrategy };

// Reads "heuristic", "contributor", "experiment" or "strategy". Errors (kInput): another word; the message
// lists these.
Result<LeaderboardBy> parse_leaderboard_by(std::string_view word);

// One competitor of a leaderboard.
struct LeaderboardRow {
  // Values by column of the view (docs/records.md), "rank" among them. Heuristics also have the results of an
  // offer test ("gain", "gain_se", "num_seeds", ..., and "families_beside", those of its pool, one a line).
  // A value is nothing where the column is NULL.
  std::map<std::string, Cell, std::less<>> values;
  // The contest of this row. Ranks compare the rows of one contest, which are all rows, those on the same
  // data with the same means, or those that were offered beside the same pool.
  std::string contest;
  CreditParts credit;  // of a heuristic with a credit ("credit", "credit_se"); else empty
  // Sums of a heuristic with an offer test, by the number of seeds; empty where none were kept.
  std::map<std::size_t, GainSums> gains = {};
  // Scores in each run that counts (heuristics, contributors) or for each seed (experiments, strategies).
  OccasionScores scores;
};

// All competitors with a finished run, contest by contest, best first; none in an empty database.
Result<std::vector<LeaderboardRow>> read_leaderboard(const RecordsReader& records, LeaderboardBy by);

}  // namespace mash
