// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/cli/trial.hpp"
#include "framework/records/experiment_record.hpp"
#include "framework/reports/pool_report.hpp"

namespace mash {

// What the families of a recorded experiment contribute, as the plugins are now, in trainings of
// options.rounds rounds with options.seeds seeds. Errors: those of loading, training and of the records;
// kStopped.
Result<PoolReport> pool_report(const ExperimentRecord& record, const Experiment& experiment,
                               const TrialOptions& options, Progress& progress);

}  // namespace mash
