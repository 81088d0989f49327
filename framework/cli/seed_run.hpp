// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "classifiers/boosters/booster.hpp"
#include "classifiers/builtin.hpp"
#include "framework/cli/experiment.hpp"
#include "framework/cli/options.hpp"
#include "framework/families/feature_set.hpp"
#include "framework/records/test_errors.hpp"

namespace mash {

// The strategies of an experiment, made from their names. A setting that is to be tuned is left at its
// default.
struct Parts {
  std::shared_ptr<const Booster> booster;
  SearchParts search;
};
// Errors (kInput): an unknown name or setting, with its place; a weak learner that the booster cannot use.
Result<Parts> make_parts(const Experiment& experiment);

// Whether that setting of a sampler is to be found by whole trainings.
bool is_tuned(const Tuning& tuning, const Settings& settings);

// Equal for runs that must give the same model: what a checkpoint and a row of the records belong to.
std::string run_key(const Experiment& experiment, std::uint64_t seed, const Dataset& dataset,
                    const FeatureSet& features);

// What the records are told of a run when it starts. parts: of the experiment.
ExperimentStart experiment_start(const Experiment& experiment, const Parts& parts, std::uint64_t seed,
                                 std::string key, int num_threads);

// Where features and checkpoints are kept: the folder the user named, or the default.
std::filesystem::path store_folder(const std::string& store);

// Everything that the seeds of an experiment share.
struct Session {
  const Experiment& experiment;
  const RunOptions& options;
  const Dataset& dataset;
  const FeatureSet& features;
  const Workers& workers;
  Records& records;
  Progress& progress;
  const StopFlag& stop;
};

// One seed of an experiment, done.
struct RunOutcome {
  std::int64_t experiment_id = 0;
  std::uint64_t seed = 0;
  TrainingResult result;
  TuningRecord tuning;
  std::vector<RoundError> test_errors;            // after every round, where they were asked for
  std::filesystem::path model;                    // where it was written; empty where nobody asked
  std::vector<std::filesystem::path> kept_files;  // for taking the job up; useless once all seeds are done
  double extract_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;  // after training
};

// Trains one seed, records it and writes its model; no model of one that was stopped. Errors: kStopped where
// tuning was stopped; those of training, records and files.
Result<RunOutcome> run_seed(const Session& session, std::uint64_t seed);

}  // namespace mash
