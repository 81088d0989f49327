// SPDX-License-Identifier: Apache-2.0
#include "framework/records/run_record.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include "framework/base/raw_values.hpp"
#include "framework/records/experiment_runs.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/rows.hpp"

namespace mash {
namespace {

std::optional<double> optional_real(const SQLite::Column& value) {
  return value.isNull() ? std::nullopt : std::optional(value.getDouble());
}
std::optional<std::int64_t> optional_integer(const SQLite::Column& value) {
  return value.isNull() ? std::nullopt : std::optional(value.getInt64());
}

// A query about one run (or data set), its id bound to the only parameter.
SQLite::Statement about(SQLite::Database& database, std::int64_t id, const char* query) {
  SQLite::Statement statement(database, query);
  statement.bind(1, id);
  return statement;
}

Error no_such_run(SQLite::Database& database, const std::filesystem::path& path, std::int64_t id) {
  SQLite::Statement latest(database,
                           "SELECT id, name FROM experiments WHERE trial = 0 ORDER BY id DESC LIMIT 10");
  std::string known;
  while (latest.executeStep()) {
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", latest.getColumn(0).getInt64(),
                         latest.getColumn(1).getString());
  }
  return input_error("{}: has no run {}; the latest are: {}", path.string(), id,
                     known.empty() ? "none" : known);
}

void read_start(const SQLite::Statement& row, RunRecord& record) {
  record.id = row.getColumn("id").getInt64();
  record.name = row.getColumn("name").getString();
  record.configuration = row.getColumn("configuration").getString();
  record.status = row.getColumn("status").getString();
  record.learner = row.getColumn("learner").getString();
  record.kind = row.getColumn("kind").getString();  // of NULL empty
  record.booster = rows::booster_of(row);
  record.seed = static_cast<std::uint64_t>(row.getColumn("seed").getInt64());
  record.num_threads = row.getColumn("num_threads").getInt64();
  record.program_version = row.getColumn("program_version").getString();
  record.machine.cpu = row.getColumn("cpu").getString();
  record.machine.os = row.getColumn("os").getString();
  record.machine.instruction_set = row.getColumn("instruction_set").getString();
  record.started_at = row.getColumn("started_at").getString();
  record.machine.num_cores = row.getColumn("num_cores").getInt();
  record.machine.memory_bytes = std::uint64_t(row.getColumn("memory_bytes").getInt64());
}

void read_end(const SQLite::Statement& row, RunRecord& record) {
  record.num_rounds = optional_integer(row.getColumn("num_rounds"));
  record.fe = optional_integer(row.getColumn("fe"));
  record.peak_memory_bytes = optional_integer(row.getColumn("peak_memory_bytes"));
  record.train_loss_log10 = optional_real(row.getColumn("train_loss_log10"));
  record.train_error = optional_real(row.getColumn("train_error"));
  record.test_error = optional_real(row.getColumn("test_error"));
  record.train_seconds = optional_real(row.getColumn("train_seconds"));
  record.extract_seconds = optional_real(row.getColumn("extract_seconds"));
  record.tuning = {row.getColumn("tuned_setting").getString(), row.getColumn("tuned_value").getString(),
                   std::size_t(row.getColumn("num_tunings").getInt64()),
                   std::uint64_t(row.getColumn("tuning_fe").getInt64()),
                   row.getColumn("tuning_seconds").getDouble()};
}

// Every count of a run has a value once it has ended.
void read_meters(SQLite::Database& database, const SQLite::Statement& row, RunRecord& record) {
  const auto count = [&](const char* column) { return std::uint64_t(row.getColumn(column).getInt64()); };
  record.meters = {count("fe"), count("ops"), count("ue"), count("once"), record.train_seconds.value_or(0),
                   {}};
  auto phases = about(database, record.id, "SELECT phase, seconds FROM phases WHERE experiment_id = ?");
  while (phases.executeStep())
    for (const Phase& phase : kPhases)
      if (phase.name == phases.getColumn(0).getString())
        record.meters.phases.*phase.seconds = rows::real(phases.getColumn(1));
}

void read_dataset(SQLite::Database& database, std::int64_t dataset_id, RunRecord& record) {
  auto row =
      about(database, dataset_id, "SELECT name, fingerprint, num_train, num_test FROM datasets WHERE id = ?");
  row.executeStep();
  record.data.name = row.getColumn(0).getString();
  record.data.fingerprint = row.getColumn(1).getString();
  record.data.num_train = row.getColumn(2).getInt64();
  record.data.num_test = row.getColumn(3).getInt64();
  auto settings = about(database, record.id,
                        "SELECT key, value FROM settings WHERE experiment_id = ? AND key LIKE 'dataset.%'");
  SettingsOfRun of_data;
  while (settings.executeStep())
    of_data.emplace(settings.getColumn(0).getString(), settings.getColumn(1).getString());
  record.data.judging_side = judging_side(of_data);
  auto classes =
      about(database, dataset_id, "SELECT name FROM classes WHERE dataset_id = ? ORDER BY class_idx");
  while (classes.executeStep()) record.data.class_names.push_back(classes.getColumn(0).getString());
  auto files =
      about(database, dataset_id,
            "SELECT path, sha256, num_bytes, name FROM dataset_files WHERE dataset_id = ? ORDER BY file_idx");
  while (files.executeStep()) {
    record.data.files.push_back({files.getColumn(0).getString(), files.getColumn(1).getString(),
                                 std::uint64_t(files.getColumn(2).getInt64()),
                                 files.getColumn(3).getString()});
  }
}

void read_families(SQLite::Database& database, RunRecord& record) {
  auto row = about(database, record.id, R"sql(
    SELECT f.*, h.name AS heuristic, h.version, h.author, h.license, h.plugin, h.plugin_sha256
    FROM families f JOIN heuristics h ON h.id = f.heuristic_id
    WHERE f.experiment_id = ? ORDER BY f.alpha_sum DESC, f.name)sql");
  while (row.executeStep()) {
    const auto text = [&](const char* column) { return row.getColumn(column).getString(); };
    const auto integer = [&](const char* column) { return row.getColumn(column).getInt64(); };
    RunRecord::Family& family = record.families.emplace_back();
    family.name = text("name");
    family.settings = text("settings");
    family.heuristic = {text("heuristic"), text("version"), text("author"),
                        text("license"),   text("plugin"),  text("plugin_sha256")};
    family.dim = integer("dim");
    family.num_distinct = integer("num_distinct");
    family.num_faults = integer("num_faults");
    family.microseconds_per_image = rows::real(row.getColumn("microseconds_per_image"));
    family.offered = integer("offered");
    family.evaluated = integer("evaluated");
    family.chosen = integer("chosen");
    family.alpha_sum = row.getColumn("alpha_sum").getDouble();
    family.loss_removed = row.getColumn("loss_removed").getDouble();
  }
}

void read_course(SQLite::Database& database, RunRecord& record) {
  record.curve = rows::read_curve(database, record.id);
  auto rounds = about(database, record.id,
                      "SELECT round, train_loss_log10 FROM rounds WHERE experiment_id = ? ORDER BY round");
  while (rounds.executeStep())
    record.losses.push_back({rounds.getColumn(0).getUInt(), rows::real(rounds.getColumn(1))});
}

void read_margins(SQLite::Database& database, RunRecord& record) {
  auto row = about(database, record.id, R"sql(
    SELECT example_idx, label, predicted, margin FROM predictions WHERE experiment_id = ? ORDER BY example_idx)sql");
  while (row.executeStep()) {
    record.predictions.push_back({std::size_t(row.getColumn(0).getInt64()),
                                  std::size_t(row.getColumn(1).getInt64()),
                                  std::size_t(row.getColumn(2).getInt64()), rows::real(row.getColumn(3))});
  }
}

void read_sibling_runs(SQLite::Database& database, RunRecord& record) {
  auto row = about(database, record.id, R"sql(
    SELECT COUNT(g.test_error), AVG(g.test_error),
           SQRT(SUM((g.test_error - g.experiment_mean) * (g.test_error - g.experiment_mean))
                / NULLIF(COUNT(g.test_error) - 1, 0))
    FROM run_groups g JOIN experiments e ON g.experiment = e.name AND g.setup = e.setup AND g.feature_set = e.feature_set
    WHERE e.id = ?)sql");
  row.executeStep();
  record.num_runs = row.getColumn(0).getInt64();
  if (record.num_runs < 2) return;
  record.mean_test_error =
      estimate(row.getColumn(1).getDouble(), row.getColumn(2).getDouble(), record.num_runs);
}

}  // namespace

double RunRecord::alpha_sum() const {
  double sum = 0;
  for (const Family& family : families) sum += family.alpha_sum;
  return sum;
}

std::string RunRecord::trained_by() const {
  if (!booster) return learner;
  return fmt::format("{} ({} learners, {} sampler)", booster->booster, booster->weak, booster->sampler);
}

Result<std::vector<float>> read_test_scores(const RecordsReader& records, std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<float>> {
    auto row = about(database, run_id, "SELECT scores FROM test_scores WHERE experiment_id = ?");
    if (!row.executeStep()) return std::vector<float>();
    const SQLite::Column scores = row.getColumn(0);
    return values_from_bytes<float>(scores.getBlob(), std::size_t(scores.getBytes()));
  });
}

Result<RunRecord> read_run(const RecordsReader& records, std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<RunRecord> {
    auto row = about(database, run_id, "SELECT * FROM experiments WHERE id = ?");
    if (!row.executeStep()) return no_such_run(database, Connection::of(records).path(), run_id);
    RunRecord record;
    read_start(row, record);
    read_end(row, record);
    read_meters(database, row, record);
    read_dataset(database, row.getColumn("dataset_id").getInt64(), record);
    read_families(database, record);
    read_course(database, record);
    read_margins(database, record);
    read_sibling_runs(database, record);
    return record;
  });
}

}  // namespace mash
