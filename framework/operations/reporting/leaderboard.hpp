// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "framework/reports/leaderboard.hpp"

namespace mash {

// The leaderboard of a database; empty: of the default one. Errors (kInput): there are no records yet.
Result<Table> leaderboard_of(const std::filesystem::path& database, LeaderboardBy by);

}  // namespace mash
