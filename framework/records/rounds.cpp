// SPDX-License-Identifier: Apache-2.0
#include "framework/records/rounds.hpp"

#include "framework/records/connection.hpp"
#include "framework/records/rows.hpp"

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

Result<std::uint32_t> read_last_round(const RecordsReader& records, std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::uint32_t> {
    SQLite::Statement row(database, "SELECT COALESCE(MAX(round), 0) FROM rounds WHERE experiment_id = ?");
    row.bind(1, run_id);
    row.executeStep();
    return row.getColumn(0).getUInt();
  });
}

Result<std::vector<CurvePoint>> read_curve(const RecordsReader& records, std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<CurvePoint>> {
    return rows::read_curve(database, run_id);
  });
}

Result<std::vector<FamilyUseRow>> read_family_uses(const RecordsReader& records, std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<FamilyUseRow>> {
    SQLite::Statement row(database, R"sql(
      SELECT name, offered, evaluated, chosen, alpha_sum, loss_removed FROM families
      WHERE experiment_id = ? ORDER BY family_idx)sql");
    row.bind(1, run_id);
    std::vector<FamilyUseRow> families;
    while (row.executeStep()) {
      const auto count = [&](int column) {
        return static_cast<std::uint64_t>(row.getColumn(column).getInt64());
      };
      families.push_back(
          {row.getColumn(0).getString(),
           {count(1), count(2), count(3), row.getColumn(4).getDouble(), row.getColumn(5).getDouble()}});
    }
    return families;
  });
}

}  // namespace mash
