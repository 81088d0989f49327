// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "framework/cli/experiment.hpp"
#include "framework/cli/options.hpp"
#include "framework/cli/seed_run.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// An experiment, done: one outcome per seed.
struct ExperimentOutcome {
  Experiment experiment;
  std::vector<FamilyInfo> families;
  std::uint64_t num_features = 0;
  std::uint64_t num_distinct = 0;
  std::vector<std::string> warnings;
  std::vector<RunOutcome> runs;
  bool stopped = false;
};

// The data of an experiment with its features, and the records: what experiments share that differ in
// booster, weak learner, sampler and seeds alone. Opened once, it runs them one after the other.
class ExperimentData {
 public:
  // Loads the data, extracts what the store lacks and prints the warnings on stderr, unless the user wants
  // quiet. options, progress: outlive it. Errors: whatever is wrong with the experiment or with where things
  // are kept (kInput), or the machine (kFailure).
  static Result<std::unique_ptr<ExperimentData>> open(const Experiment& experiment, const RunOptions& options,
                                                      Progress& progress);

  // The same with a catalogue that is open already.
  static Result<std::unique_ptr<ExperimentData>> open(const Experiment& experiment, const RunOptions& options,
                                                      Catalogue catalogue, Progress& progress);

  // Trains every seed, records everything and writes the models. REQUIRES: data set and heuristics are those
  // of the experiment that it was opened for; exact cuts only where that one has them.
  Result<ExperimentOutcome> run(const Experiment& experiment);

  // Of the data set, of heuristics that were left out and plugins that were refused.
  std::vector<std::string> warnings() const;
  // Errors (kInput): under --strict, a family gave a value that is not finite; of families on demand, up to
  // now.
  Status check_faults() const;

  const Dataset& dataset() const { return dataset_; }
  const FeatureSet& features() const { return *features_; }
  const Workers& workers() const { return workers_; }
  const StopFlag& stop() const { return stop_; }
  Records& records() { return records_; }
  Catalogue& catalogue() { return catalogue_; }

 private:
  ExperimentData(const RunOptions& options, Progress& progress, Catalogue catalogue, Dataset dataset,
                 Records records);

  const RunOptions& options_;
  Progress& progress_;
  Catalogue catalogue_;
  Dataset dataset_;
  Records records_;
  Workers workers_;
  const StopFlag& stop_;
  std::optional<FeatureSet> features_;
};

// Loads data, extracts what the store lacks, trains every seed, records everything and writes the models.
// Errors: whatever is wrong with the experiment (kInput) or the machine (kFailure).
Result<ExperimentOutcome> run_experiment(const Experiment& experiment, const RunOptions& options,
                                         Progress& progress);

// The families that an experiment names, in the order of their names (so that the order in the file does not
// matter).
Result<std::vector<FamilySpec>> family_specs(const Experiment& experiment, const Catalogue& catalogue);

}  // namespace mash
