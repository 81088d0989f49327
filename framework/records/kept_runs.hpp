// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/records/records.hpp"

namespace mash {

// A run or a trial as a list shows it.
struct KeptRun {
  std::int64_t id = 0;      // of the row
  std::int64_t number = 0;  // runs and trials are counted apart, both from 1
  bool is_trial = false;
  std::string name, dataset, booster, weak, sampler, status, started_at;
  std::uint64_t seed = 0;
  std::int64_t rounds = 0;
  std::optional<double> test_error;
  std::optional<std::int64_t> pid;  // of the process that trains it now
};

// Which of them: those that meet all conditions.
struct RunChoice {
  bool trials = false;                     // trials in place of runs
  std::vector<std::int64_t> numbers = {};  // empty: any
  std::optional<std::string> dataset = {};
  std::optional<std::chrono::seconds> older_than = {};  // ended, or else began, so long ago
};

// By number. Errors (kInput): a number or a data set that is not there.
Result<std::vector<KeptRun>> list_runs(const RecordsReader& records, const RunChoice& choice);

// How many there are of the other kind: trials, or runs.
Result<std::size_t> count_runs(const RecordsReader& records, bool trials);

struct PrunedRuns {
  std::vector<KeptRun> removed;
  std::vector<KeptRun> running;  // would have gone, but a process trains them
};

// The runs that prune_runs would remove.
Result<PrunedRuns> plan_prune(const RecordsReader& records, const RunChoice& choice);

// Removes them with all that hangs on them, and the data sets and heuristics that nothing else refers to; all
// or nothing. Errors: those of list_runs; kInput: one that was named by its number is being trained.
Result<PrunedRuns> prune_runs(Records& records, const RunChoice& choice);

// Gives what was removed back to the disk (VACUUM): the file's bytes after it. Killed in between, the file is
// as it was. Errors (kFailure): other programs use it, the disk has no room for the copy that this takes.
Result<std::uint64_t> shrink_records(Records& records);

}  // namespace mash
