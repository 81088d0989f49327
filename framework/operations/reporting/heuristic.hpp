// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/operations/offers/trial.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/heuristic/report.hpp"

namespace mash {

// The report of a heuristic, and the page that shows it.
struct HeuristicReportResult {
  HeuristicReport report;
  page::Piece page;
};

// Offers a heuristic beside the pool (offer_heuristic), and finds out where the gain comes from and what else
// its report shows. Errors: those of offer_heuristic, and of the encoder of pictures.
Diagnosed<HeuristicReportResult> report_heuristic(const OfferTrySettings& settings, const WorkContext& work,
                                                  const OnFailedChecks& on_failed = ignore_failed_checks);

}  // namespace mash
