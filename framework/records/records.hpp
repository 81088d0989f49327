// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifiers/events/training.hpp"
#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/family.hpp"

namespace SQLite {
class Database;
}

namespace mash {

// The machine that a run ran on, as it goes into the record.
struct MachineInfo {
  std::string cpu, os, instruction_set;
  int num_cores = 0;
  std::uint64_t memory_bytes = 0;
};

// What is known of one training run (one seed) when it starts.
struct ExperimentStart {
  std::string name;           // of the experiment file, without folder and ending
  std::string configuration;  // the resolved experiment as YAML
  std::string run_key;  // equal for runs that must give the same model: a resumed run finds its row by it
  std::uint64_t seed = 0;
  std::uint32_t rounds = 0;
  std::string booster, weak, sampler;
  int num_threads = 0;
  std::string program_version;
  MachineInfo machine;
  bool trial = false;  // on some of the experiment's families, to compare: not for the leaderboards
};

// How a setting of the sampler was tuned, by a whole training with each of its values.
struct TuningRecord {
  std::string setting;  // empty: nothing was tuned
  std::string value;    // that was kept
  std::size_t num_trainings = 0;
  std::uint64_t cost = 0;  // feature evaluations of all trainings
  double seconds = 0;      // of training
};

// What is known when it has ended.
struct ExperimentEnd {
  double extract_seconds = 0;
  double cpu_seconds = 0;  // of this process, without the extraction before training
  std::uint64_t peak_memory_bytes = 0;
  TuningRecord tuning = {};
  std::span<const FamilyInfo> families = {};  // with the faults met meanwhile; may be empty: none were
};

// The state after a round, of runs that were asked for it.
struct RoundError {
  double test_error = 0;  // fraction
  double seconds = 0;     // of training until then
};

// The database of all experiments: SQLite in WAL mode, foreign keys on, migrations numbered; one writer at a
// time (others wait). Its views (docs/records.md) are the leaderboards.
class Records {
 public:
  // Opens or makes the database (and its folder) and brings its schema up to date.
  // Errors (kInput), each with the path and what was found: not a database, damaged, another application's,
  // written by a newer program, or in a place that cannot be written.
  static Result<Records> open(const std::filesystem::path& path);

  Records(Records&&) noexcept;
  Records& operator=(Records&&) noexcept;
  ~Records();

  // Makes the row of an experiment, or empties the unfinished one ("interrupted", "stopped") with the same
  // run_key for the rerun; one that another living process is at
  // is left alone. Experiments left "running" by a process that no longer lives are marked "interrupted".
  // Returns the id.
  Result<std::int64_t> begin(const ExperimentStart& start, const Dataset& dataset,
                             std::span<const FamilyInfo> families);

  // Stores the rounds and curve points of a run as they come, in transactions of at most about a second each;
  // a resumed run calls it with the rounds that are already there again, which replaces them. The recorder
  // must not outlive this object, but may outlive a move of it. Errors surface in `finish`.
  std::unique_ptr<Observer> recorder(std::int64_t experiment_id);

  // Stores totals per family, curve, and the margin and prediction of each test example; marks the experiment
  // "complete", "stopped", ... by result.status. One transaction: on failure the experiment stays "running".
  // Errors: an unknown experiment, a result whose shapes do not fit the experiment and data set, the
  // database's own.
  Status finish(std::int64_t experiment_id, const TrainingResult& result, const ExperimentEnd& end,
                const Dataset& dataset);

  // Stores the test error after every round of a run, replacing what is there; read back in order of rounds
  // (none where they were never stored).
  Status put_test_errors(std::int64_t experiment_id, std::span<const RoundError> errors);
  Result<std::vector<RoundError>> test_errors(std::int64_t experiment_id);

  // The class that a finished run gave each test example.
  Result<std::vector<std::uint16_t>> predictions(std::int64_t experiment_id);

  // The latest experiment of that key that ended by itself.
  Result<std::optional<std::int64_t>> find_finished(const std::string& run_key);

  SQLite::Database& database();  // for queries of reports

 private:
  struct State;
  explicit Records(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mash
