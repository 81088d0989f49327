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

// One training run (one seed) as it starts.
struct RunStart {
  std::string name;           // of the experiment file, without folder and ending
  std::string configuration;  // the resolved experiment as YAML
  std::string run_key;  // equal for runs that must give the same model: a resumed run finds its row by it
  std::uint64_t seed = 0;
  std::uint32_t rounds = 0;
  std::string booster, weak, sampler;
  int num_threads = 0;
  std::string program_version;
  MachineInfo machine;
  bool trial = false;  // on some of the families, to compare: not for the leaderboards
  std::span<const IncidentRow> incidents = {};  // of the extraction before it
};

// How a setting of the sampler was tuned, by a whole training with each of its values.
struct TuningRecord {
  std::string setting;  // empty: nothing was tuned
  std::string value;    // that was kept
  std::size_t num_trainings = 0;
  std::uint64_t cost = 0;  // feature evaluations of all trainings
  double seconds = 0;      // of training
};

// The same run when it has ended.
struct RunEnd {
  double extract_seconds = 0;
  // Without the extraction before training: of the process, or of the thread where trainings run side by
  // side; NaN: not measured.
  double cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  TuningRecord tuning = {};
  std::span<const FamilyRow> families = {};  // with the faults met meanwhile; may be empty: none were
};

// A database of runs to read from. The functions that ask it something are declared beside what they give:
// run_record.hpp, leaderboard_rows.hpp, offers.hpp, rounds.hpp, test_errors.hpp, credits.hpp.
class RecordsReader {
 public:
  RecordsReader(RecordsReader&&) noexcept;
  RecordsReader& operator=(RecordsReader&&) noexcept;
  ~RecordsReader();

  // The latest run of that key that ended by itself.
  Result<std::optional<std::int64_t>> find_finished(const std::string& run_key) const;

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

  // For those who only read, beside any number of writers: makes no file, changes no byte, needs no right to
  // write, and sees what others have committed, also later. (Where a program was killed while it wrote and
  // its shared memory file is missing, SQLite has to make that one again.) Errors (kInput): those of `open`,
  // no such file, and a schema older than this program's.
  static Result<RecordsReader> open_read_only(const std::filesystem::path& path);

  Records(Records&&) noexcept;
  Records& operator=(Records&&) noexcept;
  ~Records();

  // Makes the row of a run, or empties the unfinished one ("interrupted", "stopped") with the same run_key
  // for the rerun; one that another living process is at is left alone. Runs left "running" by a process that
  // no longer lives are marked "interrupted". Returns the id.
  Result<std::int64_t> begin(const RunStart& start, const Dataset& dataset,
                             std::span<const FamilyRow> families);

  // Stores the rounds and curve points of a run as they come, in transactions of at most about a second each;
  // a resumed run calls it with the rounds that are already there again, which replaces them. The recorder
  // must not outlive this object, but may outlive a move of it. Errors surface in `finish`.
  std::unique_ptr<Observer> recorder(std::int64_t run_id);

  // Stores totals per family, curve, and the margin and prediction of each test example; marks the run
  // "complete", "stopped", ... by result.status. One transaction: on failure the run stays "running".
  // Errors: an unknown run, a result whose shapes do not fit the run and data set, the database's own.
  Status finish(std::int64_t run_id, const TrainingResult& result, const RunEnd& end, const Dataset& dataset);

 private:
  struct Buffers;
  explicit Records(std::unique_ptr<Connection> connection);
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace mash
