// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "framework/operations/offers/run_offer.hpp"
#include "framework/operations/offers/trial.hpp"
#include "framework/reports/heuristic/first_answer.hpp"
#include "framework/reports/heuristic/offer.hpp"

namespace mash {

// Callbacks of a running offer test.
struct OfferObserver {
  std::function<void(const Look&)> on_play = {};            // the seeds of a look are about to be played
  std::function<void(const HeuristicOffer&)> on_look = {};  // the offer as of a look
  // A first answer, where the features of the pool are long in coming; empty: none is computed.
  std::function<void(const FirstAnswer&)> on_first_answer = {};
};

// An offer test of a heuristic.
struct TestedOffer {
  OfferTest test;
  HeuristicOffer offer;  // the part that is shown
};

// Offers a heuristic beside the pool of its trial. The results of each look are kept in the records; where
// that fails, a remark says so. settings: those of the setup, which other tests may share. in_detail: as in
// OfferTestSettings. Errors (kInput): fewer seeds than the first look has; nothing to replace; those of
// run_offer_test; kStopped.
Result<TestedOffer> test_offer(TrialSetup& setup, const OfferTrySettings& settings, bool in_detail,
                               const WorkContext& work, const OfferObserver& observer = {});

// Offers all heuristics of a group at once (prepare_checked_group), with one look at all seeds of the
// settings, as on a board. Nothing of it is kept in the records, where an offer is that of one heuristic.
// Errors: those of test_offer.
Result<TestedOffer> test_group(TrialSetup& setup, const OfferTrySettings& settings, const WorkContext& work);

// Removes what test_offer or test_group has kept of this part of its seeds, by any judges. Errors: those of
// forget_offer_test.
Status forget_offer(const TrialSetup& setup, const OfferTrySettings& settings, KeptPart part,
                    const WorkContext& work);

// Trains the starting pools of num_seeds seeds, except those that are cached. space: the workspace of the
// experiment. Errors: too few examples to judge on (kInput); those of training and the disk; kStopped, where
// finished pools stay kept.
Status train_pool_of_offers(const Experiment& experiment, const Workspace& space, Judges judges,
                            std::size_t num_seeds, const WorkContext& work);

// Checks the heuristic of the settings and offers it beside the pool. The settings limit the number of seeds
// and the seconds of the test itself. Errors: those of prepare_trial and test_offer.
Diagnosed<HeuristicOffer> offer_heuristic(const OfferTrySettings& settings, const WorkContext& work,
                                          const OnFailedChecks& on_failed = ignore_failed_checks,
                                          const OfferObserver& observer = {});

}  // namespace mash
