// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "framework/operations/offers/run_offer.hpp"
#include "framework/operations/offers/trial.hpp"
#include "framework/reports/heuristic/offer.hpp"

namespace mash {

// Hears of an offer at each of its looks.
using OnOffer = std::function<void(const HeuristicOffer&)>;
inline void ignore_offer(const HeuristicOffer&) {}

// An offer test of a heuristic, with all that it needed.
struct TestedOffer {
  TrialSetup setup;
  OfferTest test;
  HeuristicOffer offer;  // what is shown of it
};

// Offers a heuristic beside the pool of the settings. What each look sees is kept in the records; a remark
// says where that fails. in_detail: as of OfferTestSettings. Errors: as offer_heuristic, except those of
// find_tried.
Result<TestedOffer> test_offer(const OfferTrySettings& settings, const NamedHeuristic& named, bool in_detail,
                               const WorkContext& work, const OnOffer& on_look = ignore_offer);

// Trains the starting pools of num_seeds seeds that are not cached yet. space: of the experiment. Errors: too
// few examples to judge on (kInput); of training and the disk; kStopped, with what was done kept.
Status train_pool_of_offers(const Experiment& experiment, const Workspace& space, Judges judges,
                            std::size_t num_seeds, const WorkContext& work);

// Checks the heuristic of the settings and offers it beside the pool, within the seeds and seconds of the
// settings. Errors: those of find_tried, prepare_trial and run_offer_test; kStopped.
Diagnosed<HeuristicOffer> offer_heuristic(const OfferTrySettings& settings, const WorkContext& work,
                                          const OnFailedChecks& on_failed = ignore_failed_checks,
                                          const OnOffer& on_look = ignore_offer);

}  // namespace mash
