// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "framework/base/result.hpp"
#include "framework/reports/leaderboard_ranks.hpp"

namespace mash {

// A leaderboard over all finished runs, best first; ties share a rank. Means over several runs have
// intervals, and so have ranks (rank_intervals: over the runs that two heuristics or contributors were both
// in, over the seeds that two experiments or strategies both had). Heuristics that were offered beside the
// same pool, on the same data and side and by one procedure, are ranked by their credits in that pool where
// `mash report` measured them (rank_sets of credit_difference; nothing where the error of a credit is not
// known, with the command that measures more), else by what they gained in their offer test: by paired sums
// with the most seeds that both have (SeedLevels), or, where these were not kept, by the last look
// (measured_rank_intervals); those that cannot be told apart share a rank. Where the test side judged a
// build, what the held-out part said of it is not shown. The others come after them, by their share of the
// votes. An empty database gives a table without rows and with a hint. The columns' meaning: docs/records.md.
Result<Table> leaderboard(const RecordsReader& records, LeaderboardBy by, RankForm form = RankForm::kOwn);

// The columns of such a table that a terminal of 100 characters has room for: ranks as "2–4", what is ranked,
// by which figures, of how many seeds or runs, and its time; the data and pool where rows differ in them; and
// `more`, by their keys.
// Columns without any value are left out. Errors (kInput): a key that there is none of; the message lists
// them.
Result<Table> short_leaderboard(const Table& table, LeaderboardBy by, std::span<const std::string> more);

// The same of a server's leaderboard, whose columns the server names: without those that few look for, such as
// numbers of seeds and dates, and without those that have no value.
Result<Table> short_site_leaderboard(const Table& table, std::span<const std::string> more);

}  // namespace mash
