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
#include "framework/base/machine.hpp"
#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/records/family_row.hpp"

namespace mash {

class Connection;

// How a booster trains, as configured.
struct BoosterParts {
  std::string booster, weak, sampler;
  std::int64_t rounds = 0;
  bool operator==(const BoosterParts&) const = default;
};

// A setting of a run as it holds, given or not: "sampler.budget" is "10".
struct RunSetting {
  std::string key, value;
  bool is_default = false;
  bool operator==(const RunSetting&) const = default;
};

// One training run (one seed) as it starts.
struct RunStart {
  std::string name;           // of the experiment file, without folder and ending
  std::string configuration;  // the resolved experiment as YAML
  // Equal for experiments that differ in seeds and heuristics at most. Empty: what `configuration` says of
  // them.
  std::string setup;
  // Equal for experiments that differ in rounds besides. Empty: `setup`.
  std::string any_rounds_setup = {};
  std::string run_key;  // equal for runs that must give the same model; a resumed run finds its row by it
  std::uint64_t seed = 0;
  std::string learner;
  std::optional<BoosterParts> booster;  // nothing: the learner is no booster
  int num_threads = 0;
  std::string program_version;
  MachineInfo machine;
  bool trial = false;                     // a comparison on some of the families: not for the leaderboards
  std::vector<RunSetting> settings = {};  // each key once
  std::span<const IncidentRow> incidents = {};  // of the extraction before it
};

// The tuning of a setting: of the sampler, by a whole training with each of its values, or of a classifier
// that chooses the value itself.
struct TuningRecord {
  std::string setting;  // empty: nothing was tuned
  std::string value;    // the value that was kept
  std::size_t num_trainings = 0;
  std::uint64_t cost = 0;  // feature evaluations of all trainings
  double seconds = 0;      // of training
};

// A training run as it ends.
struct RunEnd {
  double extract_seconds = 0;
  // CPU time without the extraction before training. It is the process's, or the thread's where trainings run
  // side by side. NaN: not measured.
  double cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  TuningRecord tuning = {};
  std::span<const FamilyRow> families = {};  // with the faults met meanwhile; empty: there were none
};

// A database of runs, to read from. The functions that read from it are declared beside the types that they
// return: run_record.hpp, leaderboard_rows.hpp, offers.hpp, rounds.hpp, test_errors.hpp, credits.hpp.
class RecordsReader {
 public:
  RecordsReader(RecordsReader&&) noexcept;
  RecordsReader& operator=(RecordsReader&&) noexcept;
  ~RecordsReader();

  // The latest run with this key that ended by itself.
  Result<std::optional<std::int64_t>> find_finished(const std::string& run_key) const;
  // The latest such run of the experiment with this name, no trial.
  Result<std::optional<std::int64_t>> find_finished_run(const std::string& run_key,
                                                        const std::string& name) const;

 protected:
  explicit RecordsReader(std::unique_ptr<Connection> connection);

 private:
  friend class Connection;  // gives itself to the functions of this folder
  friend class Records;
  std::unique_ptr<Connection> connection_;
};

// The database of all runs: SQLite in WAL mode, foreign keys on, migrations numbered; one writer at a time
// (others wait). Its views (docs/records.md) are the leaderboards.
class Records : public RecordsReader {
 public:
  // Opens or makes the database (and its folder) and brings its schema up to date.
  // Errors (kInput), each with the path and what was found: not a database, damaged, another application's,
  // written by a newer program, or in a place that cannot be written.
  static Result<Records> open(const std::filesystem::path& path);

  // Opens the database to read only, beside any number of writers. It makes no file, changes no byte and
  // needs no right to write. It sees what others have committed, also after it was opened. (Where a program
  // was killed while it wrote and SQLite's shared memory file is missing, SQLite has to make that file
  // again.) Errors (kInput): those of `open`, no such file, and a schema older than this program's.
  static Result<RecordsReader> open_read_only(const std::filesystem::path& path);

  Records(Records&&) noexcept;
  Records& operator=(Records&&) noexcept;
  ~Records();

  // Makes the row of a run. Where an unfinished run ("interrupted", "stopped") has the same run_key, its row
  // is emptied and used for the rerun, unless another living process works at it. Runs left "running" by a
  // process that no longer lives are marked "interrupted". Returns the id.
  Result<std::int64_t> begin(const RunStart& start, const Dataset& dataset,
                             std::span<const FamilyRow> families);

  // Returns an observer that stores the rounds and curve points of a run as they come, in transactions of at
  // most about a second each. A resumed run reports the rounds that are already there again, and they are
  // replaced. The recorder must not outlive this object, but stays valid where this object is moved. Errors
  // surface in `finish`.
  std::unique_ptr<Observer> recorder(std::int64_t run_id);

  // Stores the totals per family, the curve, and the margin and prediction of each test example. It marks the
  // run "complete", "stopped", ... by result.status. One transaction: on failure the run stays "running".
  // Errors: an unknown run, a result whose shapes do not fit the run and data set, the database's own.
  Status finish(std::int64_t run_id, const TrainingResult& result, const RunEnd& end, const Dataset& dataset);

 private:
  struct Buffers;
  explicit Records(std::unique_ptr<Connection> connection);
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace mash
