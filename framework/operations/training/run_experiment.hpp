// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "framework/operations/training/seed_run.hpp"
#include "framework/operations/training/workspace.hpp"

namespace mash {

// Options for the runs of an experiment, beside recording them.
struct RunSettings {
  std::filesystem::path model =
      {};                         // write the model here, with the seed in the name where there are several
  bool every_test_error = false;  // evaluate after every round, not at the points of the curve alone
  bool reuse_finished = false;    // take the result of an equal run from the records, without a model
};

// Whether the test error after every round can be had from the experiment's models. Errors (kInput): its
// rounds change all hypotheses; make_strategies' own.
Status check_every_test_error(const Experiment& experiment);

// One run of an experiment, that is one seed of it, done.
struct RunResult {
  std::int64_t run_id = 0;  // of its row in the records
  std::uint64_t seed = 0;
  TrainingResult result;
  TuningRecord tuning;
  std::vector<RoundError> test_errors;  // after every round, where they were asked for
  std::filesystem::path model;          // where it was written; empty where nobody asked
  double extract_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;  // of the process, after training
};

// An experiment, done: a run for each seed.
struct ExperimentResult {
  Experiment experiment;
  std::string dataset;  // its name, for people
  std::vector<FamilyInfo> families;
  std::uint64_t num_features = 0;
  std::uint64_t num_distinct = 0;  // features that are neither constant nor a copy of another
  std::size_t num_examples = 0;    // of both sides
  std::vector<std::string> warnings;
  std::vector<RunResult> runs;
  bool stopped = false;
};

// Trains every seed, records everything and writes the models; none of a run that was stopped. One that was
// interrupted goes on where it was. REQUIRES: data set and heuristics are those of the experiment that the
// workspace was opened for; exact cuts only where that one has them. Errors: those of training, records and
// files; kStopped before there is anything to show.
Result<ExperimentResult> run_experiment(const Experiment& experiment, const RunSettings& settings,
                                        Workspace& space, const WorkContext& work);

}  // namespace mash
