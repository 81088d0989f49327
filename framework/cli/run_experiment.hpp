// SPDX-License-Identifier: Apache-2.0
#pragma once

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

// Loads data, extracts what the store lacks, trains every seed, records everything and writes the models.
// Errors: whatever is wrong with the experiment (kInput) or the machine (kFailure).
Result<ExperimentOutcome> run_experiment(const Experiment& experiment, const RunOptions& options,
                                         Progress& progress);

// The families that an experiment names, in the order of their names (so that the order in the file does not
// matter).
Result<std::vector<FamilySpec>> family_specs(const Experiment& experiment, const Catalogue& catalogue);

}  // namespace mash
