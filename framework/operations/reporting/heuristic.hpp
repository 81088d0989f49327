// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/operations/offers/offer.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/heuristic/report.hpp"

namespace mash {

// The report of a heuristic, and the page that shows it.
struct HeuristicReportResult {
  HeuristicReport report;
  page::Piece page;
};

// Offers the heuristic of a trial beside its pool (test_offer), and computes where the gain comes from and
// the rest of its report. settings: those of the setup. Errors: those of test_offer and of the encoder of
// pictures.
Result<HeuristicReportResult> report_trial(TrialSetup& setup, const OfferTrySettings& settings,
                                           const WorkContext& work, const OfferObserver& observer = {});

// The same, with all steps before it. Further errors: those of prepare_trial.
Diagnosed<HeuristicReportResult> report_heuristic(const OfferTrySettings& settings, const WorkContext& work,
                                                  const OnFailedChecks& on_failed = ignore_failed_checks);

}  // namespace mash
