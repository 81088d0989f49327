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
  std::int64_t id = 0;      // of the database row
  std::int64_t number = 0;  // runs and trials are counted apart, both from 1
  bool is_trial = false;
  std::string name, dataset, learner, status, started_at;
  std::optional<BoosterParts> booster;  // nothing: the learner is no booster
  std::uint64_t seed = 0;
  std::optional<std::int64_t> num_rounds;  // done; nothing before its end and of learners without rounds
  std::optional<double> test_error;
  std::optional<std::int64_t> pid;  // of the process that trains it now
};

// A choice of runs or trials: those that meet all conditions.
struct RunChoice {
  bool trials = false;                     // trials in place of runs
  std::vector<std::int64_t> numbers = {};  // empty: any
  std::optional<std::string> dataset = {};
  std::optional<std::chrono::seconds> older_than = {};  // since its end, or else its start
};

// By number. Errors (kInput): a number or a data set that is not there.
Result<std::vector<KeptRun>> list_runs(const RecordsReader& records, const RunChoice& choice);

// The number of trials, or of runs where `trials` is false.
Result<std::size_t> count_runs(const RecordsReader& records, bool trials);

struct PrunedRuns {
  std::vector<KeptRun> removed;
  std::vector<KeptRun> running;  // not removed: a process trains them
};

// The runs that prune_runs would remove.
Result<PrunedRuns> plan_prune(const RecordsReader& records, const RunChoice& choice);

// Removes the chosen runs with all rows that belong to them, and the data sets and heuristics that nothing
// else refers to. It is all or nothing. Errors: those of list_runs; kInput: a run that was chosen by its
// number is being trained.
Result<PrunedRuns> prune_runs(Records& records, const RunChoice& choice);

// Gives the space of removed rows back to the disk (VACUUM) and returns the file's size in bytes after it. If
// the program is killed meanwhile, the file is as it was. Errors (kFailure): other programs use the file; the
// disk has no room for the copy that this makes.
Result<std::uint64_t> shrink_records(Records& records);

}  // namespace mash
