// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/operations/offer_test.hpp"
#include "framework/operations/trial.hpp"
#include "framework/reports/heuristic_offer.hpp"

namespace mash {

// Offers the heuristic of a trial beside its pool, and keeps what is found in the records; a remark says
// where that fails. setup: of prepare_trial. Errors: those of run_offer_test.
Result<HeuristicOffer> offer_of(TrialSetup& setup, const OfferTestSettings& settings,
                                const WorkContext& work);

// Checks the heuristic of the settings and offers it beside the pool, with at most so many seeds, and seconds
// of the test itself; `rounds` is not looked at. Errors: those of find_tried, prepare_trial and
// run_offer_test; kStopped.
Diagnosed<HeuristicOffer> offer_heuristic(const TrialSettings& settings, const WorkContext& work,
                                          const OnFailedChecks& on_failed = ignore_failed_checks);

}  // namespace mash
