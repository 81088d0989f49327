// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/records/leaderboard_rows.hpp"
#include "framework/render/table.hpp"

namespace mash {

// A leaderboard over all finished runs, best first; ties share a rank. Means over several runs have
// intervals, and so have ranks (rank_intervals: over the runs that two heuristics or contributors were both
// in, over the seeds that two experiments or strategies both had). Heuristics that were offered beside the
// same pool, on the same data and side, are ranked by what they gained in the last look at their offer test;
// those that cannot be told apart (measured_rank_intervals) share a rank. Where the test side judged a build,
// what the held-out part said of it is not shown. The others come after them, by their share of the votes. An
// empty database gives a table without rows and with a hint. The columns' meaning: docs/records.md.
Result<Table> leaderboard(const RecordsReader& records, LeaderboardBy by);

}  // namespace mash
