// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "framework/operations/offers/trial.hpp"
#include "framework/reports/heuristic/first_answer.hpp"

namespace mash {

// The pictures of a trial: those of the settings, or those of its experiment, which are loaded. Errors: those
// of load_experiment_dataset.
Result<std::shared_ptr<const Dataset>> pictures_of_trial(const TrySettings& settings,
                                                         const Experiment& experiment,
                                                         const WorkContext& work);

// The limits of a first answer.
struct FirstAnswerLimits {
  // Training pictures; fewer, but not below fewest_train, where the heuristic itself takes long.
  std::size_t num_train = 6000, fewest_train = 1000;
  double seconds = 5;        // to compute the features of the pool, about
  double long_seconds = 15;  // answer_early: the features of the full test take at least as long
};

// A first answer on an opened trial: an offer test on a part of the training pictures, judged by the held-out
// part of them, beside the families that are computed in limits.seconds, the cheapest first. Its features and
// trainings are kept in the store under the part's own fingerprint. Nothing goes into the records. trial: may
// be used again afterwards, except after an error. REQUIRES: settings.pictures, which are images. Errors:
// those of prepare_opened_trial and run_offer_test, as the full test would have them; kStopped.
Result<FirstAnswer> answer_first(const TrySettings& settings, OpenedTrial& trial, const WorkContext& work,
                                 const FirstAnswerLimits& limits = {});

// The same, where it comes much earlier than the full test: where there are three times as many pictures or
// more, and the features of the full test are long in coming. Tables and endless sides have none.
Result<std::optional<FirstAnswer>> answer_early(const TrySettings& settings, OpenedTrial& trial,
                                                const WorkContext& work,
                                                const FirstAnswerLimits& limits = {});

// Checks the heuristic of the settings and gives a first answer on it. Errors: those of open_trial and
// answer_first.
Diagnosed<FirstAnswer> give_first_answer(const TrySettings& settings, const WorkContext& work,
                                         const OnFailedChecks& on_failed = ignore_failed_checks);

}  // namespace mash
