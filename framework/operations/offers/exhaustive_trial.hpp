// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/operations/offers/trial.hpp"
#include "framework/reports/heuristic/exhaustive_trial.hpp"

namespace mash {

// Checks the heuristic. Then trains, with every seed: the pool with it, the pool without it, it alone, and
// the pool with it in the place of its nearest neighbour. Trainings that the records have are not repeated.
// No training sees the held-out part of the training side, which judges. Errors: those of prepare_trial; only
// one seed, no other family in the pool, or too few pictures to judge on (kInput); those of training and of
// the records; kStopped.
Diagnosed<ExhaustiveTrial> try_exhaustively(const TrialSettings& settings, const WorkContext& work,
                                            const OnFailedChecks& on_failed = ignore_failed_checks);

}  // namespace mash
