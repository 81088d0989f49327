// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/cli/trial.hpp"
#include "framework/reports/heuristic_report.hpp"

namespace mash {

// Keeps the figures of a trial in the records, for the history of the heuristic.
Status keep_trial(Trial& trial);

// Everything else that the report of a tried heuristic shows. What takes long (Shapley values, changed
// pictures) is kept in the records too. Errors: those of training, extraction and the records; kStopped.
Result<HeuristicReport> heuristic_report(Trial& trial, Progress& progress);

}  // namespace mash
