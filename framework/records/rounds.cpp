// SPDX-License-Identifier: Apache-2.0
#include "framework/records/rounds.hpp"

#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/rows.hpp"

namespace mash {

Result<std::vector<CutRow>> read_cuts(const RecordsReader& records, std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<CutRow>> {
    SQLite::Statement row(database, R"sql(
      SELECT round, alpha, family_idx, feature_idx FROM rounds JOIN cuts USING (experiment_id, round)
      WHERE experiment_id = ? ORDER BY round, cut_idx)sql");
    row.bind(1, run_id);
    std::vector<CutRow> cuts;
    while (row.executeStep())
      cuts.push_back({row.getColumn(0).getUInt(), row.getColumn(1).getDouble(), row.getColumn(2).getUInt(),
                      row.getColumn(3).getUInt()});
    return cuts;
  });
}

Result<std::vector<CurvePoint>> read_curve(const RecordsReader& records, std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<CurvePoint>> {
    return rows::read_curve(database, run_id);
  });
}

}  // namespace mash
