// SPDX-License-Identifier: Apache-2.0
#include "framework/records/predictions.hpp"

#include "framework/records/connection.hpp"

namespace mash {

Result<std::vector<std::uint16_t>> read_predictions(const RecordsReader& records, std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<std::uint16_t>> {
    SQLite::Statement query(database,
                            "SELECT predicted FROM predictions WHERE experiment_id = ? ORDER BY example_idx");
    query.bind(1, run_id);
    std::vector<std::uint16_t> classes;
    while (query.executeStep()) classes.push_back(std::uint16_t(query.getColumn(0).getUInt()));
    return classes;
  });
}

}  // namespace mash
