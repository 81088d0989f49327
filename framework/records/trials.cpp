// SPDX-License-Identifier: Apache-2.0
#include "framework/records/trials.hpp"

#include "framework/records/connection.hpp"

namespace mash {
namespace {

void bind_optional(SQLite::Statement& statement, const char* name, const std::optional<double>& value) {
  if (value)
    statement.bind(name, *value);
  else
    statement.bind(name);
}

Estimate estimate_at(const SQLite::Statement& row, const char* mean, const char* half_width) {
  const SQLite::Column width = row.getColumn(half_width);
  return {row.getColumn(mean).getDouble(), width.isNull() ? std::nullopt : std::optional(width.getDouble())};
}

}  // namespace

Status keep_trial(Records& records, const TrialRow& trial) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement insert(database, R"sql(
      INSERT INTO heuristic_trials
        (trial_key, experiment_id, heuristic, version, plugin_sha256, settings, rounds, num_seeds, pool_size,
         alone_error, alone_ci95, gain, gain_ci95, margin_share, importance, importance_se, shapley, shapley_se)
      VALUES (:key, :experiment, :heuristic, :version, :sha256, :settings, :rounds, :seeds, :pool,
              :alone, :alone_ci, :gain, :gain_ci, :margin, :importance, :importance_se, :shapley, :shapley_se)
      ON CONFLICT (trial_key) DO UPDATE SET
        experiment_id = excluded.experiment_id, settings = excluded.settings, pool_size = excluded.pool_size,
        alone_error = excluded.alone_error, alone_ci95 = excluded.alone_ci95, gain = excluded.gain,
        gain_ci95 = excluded.gain_ci95, margin_share = excluded.margin_share, importance = excluded.importance,
        importance_se = excluded.importance_se, shapley = COALESCE(excluded.shapley, shapley),
        shapley_se = COALESCE(excluded.shapley_se, shapley_se))sql");
    insert.bind(":key", trial.key);
    insert.bind(":experiment", trial.run_id);
    insert.bind(":heuristic", trial.heuristic);
    insert.bind(":version", trial.version);
    insert.bind(":sha256", trial.plugin_sha256);
    insert.bind(":settings", trial.settings);
    insert.bind(":rounds", std::int64_t(trial.rounds));
    insert.bind(":seeds", std::int64_t(trial.num_seeds));
    insert.bind(":pool", std::int64_t(trial.pool_size));
    insert.bind(":alone", trial.alone_error.mean);
    bind_optional(insert, ":alone_ci", trial.alone_error.half_width);
    insert.bind(":gain", trial.gain.mean);
    bind_optional(insert, ":gain_ci", trial.gain.half_width);
    insert.bind(":margin", trial.margin_share);
    insert.bind(":importance", trial.importance);
    insert.bind(":importance_se", trial.importance_se);
    bind_optional(insert, ":shapley", trial.shapley);
    bind_optional(insert, ":shapley_se", trial.shapley_se);
    insert.exec();
    return Done{};
  });
}

Result<std::vector<PastTrial>> past_trials(const RecordsReader& records, const std::string& heuristic,
                                           std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<PastTrial>> {
    SQLite::Statement row(database, R"sql(
      SELECT t.* FROM heuristic_trials t JOIN experiments e ON e.id = t.experiment_id
      WHERE t.heuristic = ? AND e.dataset_id = (SELECT dataset_id FROM experiments WHERE id = ?)
      ORDER BY t.id)sql");
    SQLite::bind(row, heuristic, run_id);
    std::vector<PastTrial> trials;
    while (row.executeStep()) {
      const auto text = [&](const char* column) { return row.getColumn(column).getString(); };
      trials.push_back({text("measured_at"), text("version"), text("settings"), text("plugin_sha256"),
                        row.getColumn("rounds").getUInt(), std::size_t(row.getColumn("num_seeds").getInt64()),
                        std::size_t(row.getColumn("pool_size").getInt64()),
                        estimate_at(row, "gain", "gain_ci95"),
                        estimate_at(row, "alone_error", "alone_ci95")});
    }
    return trials;
  });
}

Status keep_robustness(Records& records, const std::string& trial_key,
                       std::span<const RobustnessCurve> curves) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement former(
        database,
        "DELETE FROM robustness WHERE trial_id = (SELECT id FROM heuristic_trials WHERE trial_key = ?)");
    former.bind(1, trial_key);
    former.exec();
    SQLite::Statement insert(database, R"sql(
      INSERT INTO robustness
      SELECT id, ?, ?, ?, ? FROM heuristic_trials WHERE trial_key = ?)sql");
    for (const RobustnessCurve& curve : curves)
      for (const RobustnessPoint& point : curve.points) {
        SQLite::bind(insert, curve.kind, point.amount, point.error_without, point.error_with, trial_key);
        insert.exec();
        insert.reset();
      }
    return Done{};
  });
}

Result<std::vector<RobustnessCurve>> kept_robustness(const RecordsReader& records,
                                                     const std::string& trial_key) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<RobustnessCurve>> {
    SQLite::Statement row(database, R"sql(
      SELECT r.kind, r.amount, r.error_without, r.error_with
      FROM robustness r JOIN heuristic_trials t ON t.id = r.trial_id
      WHERE t.trial_key = ? ORDER BY r.kind, r.amount)sql");
    row.bind(1, trial_key);
    std::vector<RobustnessCurve> curves;
    while (row.executeStep()) {
      const std::string kind = row.getColumn(0).getString();
      if (curves.empty() || curves.back().kind != kind) curves.push_back({kind, "", {}});
      curves.back().points.push_back(
          {row.getColumn(1).getDouble(), row.getColumn(2).getDouble(), row.getColumn(3).getDouble()});
    }
    return curves;
  });
}

}  // namespace mash
