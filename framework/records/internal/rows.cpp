// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/rows.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "framework/base/hash.hpp"
#include "framework/records/internal/database.hpp"

namespace mash::rows {
namespace {

// SQLite's integers are signed: a seed above 2^63 - 1 is kept as its two's complement.
std::int64_t integer(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// The configuration without what differs between the runs of one experiment, hashed.
std::string setup_hash(const std::string& configuration) {
  Sha256 hash;
  for (std::size_t begin = 0; begin < configuration.size();) {
    const std::size_t end = std::min(configuration.find('\n', begin), configuration.size());
    const std::string_view line = std::string_view(configuration).substr(begin, end - begin);
    if (!line.starts_with("seed:") && !line.starts_with("runs:")) hash.update(std::string(line) + '\n');
    begin = end + 1;
  }
  return hash.hex();
}

// Equal for runs that chose among the same features.
std::string feature_set_hash(std::span<const FamilyRow> families) {
  Sha256 hash;
  for (const FamilyRow& family : families) {
    const HeuristicRow& heuristic = family.heuristic;
    hash.update(
        fmt::format("{}\n{}\n{}\n{}\n", heuristic.id, heuristic.version, family.settings, family.dim));
    if (family.lazy) hash.update("on demand\n");  // its thresholds are those of a sample of the examples
  }
  return hash.hex();
}

// Trials count down from -1.
std::int64_t next_trial(SQLite::Database& database) {
  return database.execAndGet("SELECT MIN(0, COALESCE(MIN(id), 0)) - 1 FROM experiments").getInt64();
}

std::int64_t put_heuristic(SQLite::Database& database, const HeuristicRow& row) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO heuristics (name, version, author, summary, license, plugin, plugin_sha256)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (name, version, plugin_sha256) DO UPDATE SET plugin = excluded.plugin RETURNING id)sql");
  SQLite::bind(insert, row.id, row.version, row.author, row.summary, row.license, row.plugin,
               row.plugin_sha256);
  insert.executeStep();
  return insert.getColumn(0).getInt64();
}

void put_faults(SQLite::Database& database, std::int64_t run_id, std::int64_t family_idx,
                std::span<const FaultRow> faults) {
  SQLite::Statement insert(database, "INSERT INTO faults VALUES (?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < faults.size(); ++i) {
    SQLite::bind(insert, run_id, family_idx, std::int64_t(i), faults[i].call, faults[i].message);
    insert.exec();
    insert.reset();
  }
}

// The example that has a file of its own.
struct ExampleOfFile {
  const char* split = nullptr;  // null: the file has several, or is on neither side
  std::int64_t example_idx = 0;
};

// One for each of the sources.
std::vector<ExampleOfFile> examples_of_files(const Dataset& dataset) {
  std::vector<ExampleOfFile> examples(dataset.sources.size());
  const auto look = [&](const Split& side, const char* split) {
    if (!side.has_a_file_each()) return;
    for (std::size_t n = 0; n < side.files.size(); ++n) examples[side.files[n]] = {split, std::int64_t(n)};
  };
  look(dataset.train, "train");
  look(dataset.test, "test");
  return examples;
}

void put_test_rows(SQLite::Database& database, std::int64_t dataset_id, const Split& test) {
  SQLite::Statement insert(database, "INSERT INTO test_rows VALUES (?, ?, ?, ?)");
  for (std::size_t n = 0; n < test.rows.size(); ++n) {
    SQLite::bind(insert, dataset_id, std::int64_t(n), test.files[n], test.rows[n]);
    insert.exec();
    insert.reset();
  }
}

void put_files(SQLite::Database& database, std::int64_t dataset_id, const Dataset& dataset) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO dataset_files (dataset_id, file_idx, path, sha256, num_bytes, name, split, example_idx)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?))sql");
  const std::vector<ExampleOfFile> examples = examples_of_files(dataset);
  for (std::size_t i = 0; i < dataset.sources.size(); ++i) {
    const SourceFile& source = dataset.sources[i];
    insert.clearBindings();
    SQLite::bind(insert, dataset_id, std::int64_t(i), source.path.string(), source.sha256,
                 integer(source.num_bytes), file_name(source));
    if (examples[i].split) {
      insert.bind(7, examples[i].split);
      insert.bind(8, examples[i].example_idx);
    }
    insert.exec();
    insert.reset();
  }
  put_test_rows(database, dataset_id, dataset.test);
}

// The files of a data set that an earlier version of the program recorded have no names.
void name_files(SQLite::Database& database, std::int64_t dataset_id, const Dataset& dataset) {
  SQLite::Statement nameless(database,
                             "SELECT 1 FROM dataset_files WHERE dataset_id = ? AND name IS NULL LIMIT 1");
  nameless.bind(1, dataset_id);
  if (!nameless.executeStep()) return;
  nameless.reset();
  for (const char* table : {"dataset_files", "test_rows"}) {
    SQLite::Statement remove(database, fmt::format("DELETE FROM {} WHERE dataset_id = ?", table));
    remove.bind(1, dataset_id);
    remove.exec();
  }
  put_files(database, dataset_id, dataset);
}

void put_classes_and_files(SQLite::Database& database, std::int64_t dataset_id, const Dataset& dataset) {
  SQLite::Statement insert_class(database, "INSERT INTO classes VALUES (?, ?, ?)");
  for (std::size_t i = 0; i < dataset.num_classes(); ++i) {
    SQLite::bind(insert_class, dataset_id, std::int64_t(i), dataset.class_names[i]);
    insert_class.exec();
    insert_class.reset();
  }
  put_files(database, dataset_id, dataset);
}

void put_phases(SQLite::Database& database, std::int64_t run_id, const PhaseSeconds& phases) {
  SQLite::Statement insert(database, "INSERT OR REPLACE INTO phases VALUES (?, ?, ?)");
  for (const Phase& phase : kPhases) {
    SQLite::bind(insert, run_id, std::string(phase.name), phases.*phase.seconds);
    insert.exec();
    insert.reset();
  }
}

}  // namespace

void mark_interrupted(SQLite::Database& database) {
  std::vector<std::int64_t> dead;
  SQLite::Statement running(database,
                            "SELECT id, pid, process_start, boot_id FROM experiments WHERE status = ?");
  running.bind(1, kRunning);
  while (running.executeStep()) {
    const ProcessIdentity process{running.getColumn(1).getInt64(), running.getColumn(2).getInt64(),
                                  running.getColumn(3).getString()};
    if (!is_alive(process)) dead.push_back(running.getColumn(0).getInt64());
  }
  SQLite::Statement update(database, "UPDATE experiments SET status = ? WHERE id = ?");
  for (const std::int64_t id : dead) {
    SQLite::bind(update, kInterrupted, id);
    update.exec();
    update.reset();
  }
}

std::optional<std::int64_t> find_unfinished(SQLite::Database& database, const RunStart& start,
                                            const ProcessIdentity& self) {
  SQLite::Statement query(database, R"sql(
    SELECT id FROM experiments
    WHERE run_key = ?1 AND trial = ?5 AND (status IN ('interrupted', 'stopped')
                            OR status = 'running' AND pid = ?2 AND process_start = ?3 AND boot_id = ?4)
    ORDER BY ABS(id) DESC LIMIT 1)sql");
  SQLite::bind(query, start.run_key, self.pid, self.start, self.boot_id, int(start.trial));
  if (!query.executeStep()) return std::nullopt;
  return query.getColumn(0).getInt64();
}

std::int64_t put_dataset(SQLite::Database& database, const Dataset& dataset) {
  SQLite::Statement known(database, "SELECT id FROM datasets WHERE fingerprint = ?");
  known.bind(1, dataset.fingerprint);
  if (known.executeStep()) {
    const std::int64_t known_id = known.getColumn(0).getInt64();
    known.reset();
    name_files(database, known_id, dataset);
    return known_id;
  }
  SQLite::Statement insert(database, R"sql(
    INSERT INTO datasets (fingerprint, name, num_train, num_test, num_classes, width, height, num_channels, num_columns)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?))sql");
  SQLite::bind(insert, dataset.fingerprint, dataset.name, integer(dataset.train.num_examples),
               integer(dataset.test.num_examples), integer(dataset.num_classes()), dataset.shape.width,
               dataset.shape.height, dataset.shape.num_channels, integer(dataset.column_names.size()));
  insert.exec();
  const std::int64_t dataset_id = database.getLastInsertRowid();
  put_classes_and_files(database, dataset_id, dataset);
  return dataset_id;
}

std::int64_t put_run(SQLite::Database& database, std::optional<std::int64_t> id, const RunStart& start,
                     std::int64_t dataset_id, std::span<const FamilyRow> families) {
  if (id) {
    SQLite::Statement remove(database, "DELETE FROM experiments WHERE id = ?");
    remove.bind(1, *id);
    remove.exec();
  }
  SQLite::Statement insert(database, R"sql(
    INSERT INTO experiments (name, dataset_id, run_key, setup, feature_set, configuration, seed, learner,
                             num_threads, program_version, cpu, os, instruction_set, num_cores, memory_bytes,
                             status, pid, process_start, boot_id, trial, id, booster, weak, sampler, rounds,
                             any_rounds_setup)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql");
  const ProcessIdentity self = this_process();
  const MachineInfo& machine = start.machine;
  const std::string setup = setup_hash(start.setup.empty() ? start.configuration : start.setup);
  SQLite::bind(insert, start.name, dataset_id, start.run_key, setup, feature_set_hash(families),
               start.configuration, integer(start.seed), start.learner, start.num_threads,
               start.program_version, machine.cpu, machine.os, machine.instruction_set, machine.num_cores,
               integer(machine.memory_bytes), kRunning, self.pid, self.start, self.boot_id, int(start.trial));
  // Unbound is NULL: the number after the last run's; no booster.
  if (!id && start.trial) id = next_trial(database);
  if (id) insert.bind(21, *id);
  if (start.booster) {
    insert.bind(22, start.booster->booster);
    insert.bind(23, start.booster->weak);
    insert.bind(24, start.booster->sampler);
    insert.bind(25, start.booster->rounds);
  }
  insert.bind(26, start.any_rounds_setup.empty() ? setup : setup_hash(start.any_rounds_setup));
  insert.exec();
  return database.getLastInsertRowid();
}

void put_families(SQLite::Database& database, std::int64_t run_id, std::span<const FamilyRow> families) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO families (experiment_id, family_idx, heuristic_id, name, settings, dim, num_distinct, lazy, num_faults,
                          extract_seconds, microseconds_per_image)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql");
  for (std::size_t i = 0; i < families.size(); ++i) {
    const FamilyRow& family = families[i];
    const std::int64_t heuristic_id = put_heuristic(database, family.heuristic);
    SQLite::bind(insert, run_id, std::int64_t(i), heuristic_id, family.name, family.settings, family.dim,
                 family.num_distinct, int(family.lazy), integer(family.num_faults), family.extract_seconds,
                 family.microseconds_per_image);
    insert.exec();
    insert.reset();
    put_faults(database, run_id, std::int64_t(i), family.first_faults);
  }
}

void put_incidents(SQLite::Database& database, std::int64_t run_id, std::span<const IncidentRow> incidents) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO incidents (experiment_id, incident_idx, heuristic, call, ended, errors, image)
    VALUES (?, ?, ?, ?, ?, ?, ?))sql");
  for (std::size_t i = 0; i < incidents.size(); ++i) {
    const IncidentRow& incident = incidents[i];
    SQLite::bind(insert, run_id, std::int64_t(i), incident.heuristic, incident.call, incident.ended,
                 incident.errors);
    if (incident.image)
      insert.bind(7, *incident.image);
    else
      insert.bind(7);  // NULL
    insert.exec();
    insert.reset();
  }
}

void put_settings(SQLite::Database& database, std::int64_t run_id, std::span<const RunSetting> settings) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO settings (experiment_id, key, is_default, value) VALUES (?, ?, ?, ?))sql");
  for (const RunSetting& setting : settings) {
    SQLite::bind(insert, run_id, setting.key, int(setting.is_default), setting.value);
    insert.exec();
    insert.reset();
  }
}

void update_faults(SQLite::Database& database, std::int64_t run_id, std::span<const FamilyRow> families) {
  SQLite::Statement remove(database, "DELETE FROM faults WHERE experiment_id = ? AND family_idx = ?");
  SQLite::Statement update(database,
                           "UPDATE families SET num_faults = ? WHERE experiment_id = ? AND family_idx = ?");
  for (std::size_t i = 0; i < families.size(); ++i) {
    const auto family_idx = std::int64_t(i);
    SQLite::bind(remove, run_id, family_idx);
    remove.exec();
    remove.reset();
    SQLite::bind(update, integer(families[i].num_faults), run_id, family_idx);
    update.exec();
    update.reset();
    put_faults(database, run_id, family_idx, families[i].first_faults);
  }
}

void end_run(SQLite::Database& database, std::int64_t run_id, const TrainingResult& result,
             const RunEnd& end) {
  SQLite::Statement update(database, R"sql(
    UPDATE experiments
    SET status = ?, ended_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), kind = ?,
        num_rounds = CASE WHEN booster IS NULL THEN NULL ELSE ? END, train_loss_log10 = ?,
        train_error = ?, fe = ?, ops = ?, ue = ?, once = ?, train_seconds = ?, extract_seconds = ?, cpu_seconds = ?,
        peak_memory_bytes = ?
    WHERE id = ?)sql");
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();  // becomes NULL
  const bool has_curve = !result.curve.empty();
  const Meters& meters = result.meters;
  SQLite::bind(update, std::string(to_string(result.status)), std::string(result.model.kind()),
               result.num_rounds, has_curve ? result.curve.back().train_loss_log10 : kNothing,
               has_curve ? result.curve.back().train_error : kNothing, integer(meters.fe),
               integer(meters.ops), integer(meters.ue), integer(meters.once), meters.seconds,
               end.extract_seconds, end.cpu_seconds, integer(end.peak_memory_bytes), run_id);
  update.exec();
  put_phases(database, run_id, meters.phases);
  if (end.tuning.setting.empty()) return;
  SQLite::Statement tuned(database, R"sql(
    UPDATE experiments SET tuned_setting = ?, tuned_value = ?, num_tunings = ?, tuning_fe = ?,
                           tuning_seconds = ? WHERE id = ?)sql");
  SQLite::bind(tuned, end.tuning.setting, end.tuning.value, integer(end.tuning.num_trainings),
               integer(end.tuning.cost), end.tuning.seconds, run_id);
  tuned.exec();
}

void put_family_uses(SQLite::Database& database, std::int64_t run_id, std::span<const FamilyUse> uses) {
  SQLite::Statement update(database, R"sql(
    UPDATE families SET offered = ?, evaluated = ?, chosen = ?, alpha_sum = ?, loss_removed = ?
    WHERE experiment_id = ? AND family_idx = ?)sql");
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const FamilyUse& use = uses[i];
    SQLite::bind(update, integer(use.offered), integer(use.evaluated), integer(use.chosen), use.alpha_sum,
                 use.loss_removed, run_id, std::int64_t(i));
    update.exec();
    update.reset();
  }
}

std::optional<BoosterParts> booster_of(const SQLite::Statement& row) {
  if (row.getColumn("booster").isNull()) return std::nullopt;
  return BoosterParts{row.getColumn("booster").getString(), row.getColumn("weak").getString(),
                      row.getColumn("sampler").getString(), row.getColumn("rounds").getInt64()};
}

double real(const SQLite::Column& value) {
  return value.isNull() ? std::numeric_limits<double>::quiet_NaN() : value.getDouble();
}

std::vector<CurvePoint> read_curve(SQLite::Database& database, std::int64_t run_id) {
  SQLite::Statement row(database, R"sql(
    SELECT round, train_loss_log10, train_error, test_error, cost, seconds FROM curve
    WHERE experiment_id = ? ORDER BY round)sql");
  row.bind(1, run_id);
  std::vector<CurvePoint> curve;
  while (row.executeStep()) {
    curve.push_back({row.getColumn(0).getUInt(), real(row.getColumn(1)), real(row.getColumn(2)),
                     real(row.getColumn(3)), static_cast<std::uint64_t>(row.getColumn(4).getInt64()),
                     real(row.getColumn(5))});
  }
  return curve;
}

void put_test_scores(SQLite::Database& database, std::int64_t run_id, std::span<const double> scores) {
  SQLite::Statement remove(database, "DELETE FROM test_scores WHERE experiment_id = ?");
  remove.bind(1, run_id);
  remove.exec();
  if (run_id < 0 || scores.empty() || scores.size() > kMostTestScores) return;
  const std::vector<float> kept(scores.begin(), scores.end());
  SQLite::Statement insert(database, "INSERT INTO test_scores VALUES (?, ?)");
  insert.bind(1, run_id);
  insert.bind(2, kept.data(), int(kept.size() * sizeof(float)));
  insert.exec();
}

void put_predictions(SQLite::Database& database, std::int64_t run_id, const TrainingResult& result,
                     const Dataset& dataset) {
  const double total = result.model.score_bound();
  SQLite::Statement insert(database, "INSERT OR REPLACE INTO predictions VALUES (?, ?, ?, ?, ?)");
  const std::size_t num_classes = dataset.num_classes();
  std::int64_t num_errors = 0;
  for (std::size_t i = 0; i < dataset.test.num_examples; ++i) {
    const std::span scores = std::span(result.test_scores).subspan(i * num_classes, num_classes);
    const std::size_t label = dataset.test.labels[i];
    const std::size_t predicted = predicted_class(scores);
    num_errors += predicted != label;
    SQLite::bind(insert, run_id, std::int64_t(i), std::int64_t(label), std::int64_t(predicted),
                 margin(scores, label, total));
    insert.exec();
    insert.reset();
  }
  SQLite::Statement update(database, "UPDATE experiments SET test_error = ? WHERE id = ?");
  SQLite::bind(update, double(num_errors) / double(dataset.test.num_examples), run_id);
  update.exec();
}

}  // namespace mash::rows
