// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/operations/trial.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/heuristic_report.hpp"

namespace mash {

// What is known of a heuristic, and the page that shows it.
struct HeuristicReportResult {
  HeuristicReport report;
  page::Piece page;
};

// Tries a heuristic and finds out what else its report shows. What takes long (trainings,
// Shapley values, changed pictures) is kept in the records. Errors: those of try_heuristic; those of
// extraction.
Diagnosed<HeuristicReportResult> report_heuristic(const TrialSettings& settings, const WorkContext& work,
                                                  const OnFailedChecks& on_failed = ignore_failed_checks);

}  // namespace mash
