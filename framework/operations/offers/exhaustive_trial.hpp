// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/operations/offers/trial.hpp"
#include "framework/reports/heuristic/exhaustive_trial.hpp"

namespace mash {

// Checks the heuristic, trains the pool with and without it, it alone, and the pool with it in the place of
// its nearest neighbour, with every seed and as far as the records lack it; all without the held-out part of
// the training side, which judges. Errors: those of prepare_trial; one seed, no other family in the pool, too
// few pictures to judge on (kInput); those of training and of the records; kStopped.
Diagnosed<ExhaustiveTrial> try_exhaustively(const ExhaustiveTrySettings& settings, const WorkContext& work,
                                            const OnFailedChecks& on_failed = ignore_failed_checks);

}  // namespace mash
