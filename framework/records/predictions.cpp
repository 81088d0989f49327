// SPDX-License-Identifier: Apache-2.0
#include "framework/records/database.hpp"
#include "framework/records/records.hpp"

namespace mash {

Result<std::vector<std::uint16_t>> Records::predictions(std::int64_t experiment_id) {
  return with_database(database(), [&](SQLite::Database& database) -> Result<std::vector<std::uint16_t>> {
    SQLite::Statement query(database,
                            "SELECT predicted FROM predictions WHERE experiment_id = ? ORDER BY example_idx");
    query.bind(1, experiment_id);
    std::vector<std::uint16_t> classes;
    while (query.executeStep()) classes.push_back(std::uint16_t(query.getColumn(0).getUInt()));
    return classes;
  });
}

}  // namespace mash
