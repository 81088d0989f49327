// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/leaderboard.hpp"

#include "framework/operations/common/places.hpp"

namespace mash {

Result<Table> leaderboard_of(const std::filesystem::path& database, LeaderboardBy by) {
  MASH_ASSIGN(const RecordsReader records, open_records(database));
  return leaderboard(records, by);
}

}  // namespace mash
