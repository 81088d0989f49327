// SPDX-License-Identifier: Apache-2.0
#include "framework/records/experiment_runs.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include "framework/records/internal/connection.hpp"

namespace mash {

Result<std::vector<std::int64_t>> runs_of_experiment(const RecordsReader& records, std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<std::int64_t>> {
    SQLite::Statement row(database, R"sql(
      SELECT f.id, f.run_key = e.run_key FROM experiments e
      JOIN finished f ON f.name = e.name AND f.setup = e.setup AND f.feature_set = e.feature_set
                     AND f.dataset_id = e.dataset_id AND f.trial = e.trial
      WHERE e.id = ? ORDER BY f.seed, f.id)sql");
    row.bind(1, run_id);
    std::vector<std::int64_t> runs;
    bool has_finished = false;
    while (row.executeStep()) {
      runs.push_back(row.getColumn(0).getInt64());
      has_finished = has_finished || row.getColumn(1).getInt() != 0;
    }
    if (has_finished) return runs;
    SQLite::Statement known(database, "SELECT id FROM experiments WHERE id = ?");
    known.bind(1, run_id);
    return known.executeStep() ? std::vector<std::int64_t>{run_id} : std::vector<std::int64_t>();
  });
}

Result<std::vector<SettingsOfRun>> read_settings(const RecordsReader& records,
                                                 std::span<const std::int64_t> run_ids) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<SettingsOfRun>> {
    SQLite::Statement row(database, R"sql(
      SELECT key, value FROM settings
      WHERE experiment_id = ? AND NOT (is_default AND key LIKE 'dataset.%'))sql");
    std::vector<SettingsOfRun> all;
    for (const std::int64_t id : run_ids) {
      SettingsOfRun& settings = all.emplace_back();
      row.bind(1, id);
      while (row.executeStep()) settings.emplace(row.getColumn(0).getString(), row.getColumn(1).getString());
      row.reset();
    }
    return all;
  });
}

std::string judging_side(const SettingsOfRun& settings) {
  const auto part = settings.find("dataset.validation"), side = settings.find("dataset.test_side");
  const bool is_part = part != settings.end() && part->second != "0";
  const bool is_side = side != settings.end() && side->second == "validation";
  return is_part || is_side ? "validation" : "test";
}

}  // namespace mash
