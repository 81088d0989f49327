// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/cli/trial.hpp"
#include "framework/reports/pool_report.hpp"

namespace mash {

// What the families of an experiment contribute, in trainings of options.rounds rounds with options.seeds
// seeds. Errors: those of loading, training and of the records; kStopped.
Result<PoolReport> pool_report(const Experiment& experiment, const TrialOptions& options, Progress& progress);

}  // namespace mash
