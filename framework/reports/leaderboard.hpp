// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "framework/base/result.hpp"
#include "framework/records/records.hpp"
#include "framework/render/table.hpp"

namespace mash {

enum class LeaderboardBy { kHeuristic, kContributor, kExperiment, kStrategy };

// "heuristic", "contributor", "experiment" or "strategy"; other words are a kInput error that lists these.
Result<LeaderboardBy> parse_leaderboard_by(std::string_view word);

// A leaderboard over all finished experiments, best first; ties share a rank. Means over several runs have
// intervals, and so have ranks (rank_intervals: over the experiments that two heuristics or contributors were
// both in, over the seeds that two experiments or strategies both had). An empty database gives a table
// without rows and with a hint. The columns' meaning: docs/records.md.
Result<Table> leaderboard(Records& records, LeaderboardBy by);

}  // namespace mash
