// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "framework/records/leaderboard_rows.hpp"
#include "framework/render/table.hpp"

namespace mash {

// Lines under a leaderboard: the meaning of a rank, by which figures it follows, of what samples these speak,
// which ranks are not known, and the commands that narrow them. Empty of a board without rows. REQUIRES: all
// columns (leaderboard).
std::string leaderboard_legend(const Table& table, LeaderboardBy by);

}  // namespace mash
