// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "framework/operations/training/workspace.hpp"
#include "framework/render/page.hpp"
#include "framework/reports/run/pool_report.hpp"

namespace mash {

struct RunReportSettings {
  std::int64_t run_id = 0;                // its number in the records
  std::uint32_t rounds = 100, seeds = 5;  // of the trainings that show what each family contributes
  bool recorded_only = false;             // what the records hold, without these trainings
  WorkspaceSettings workspace;
  double offer_seconds = 95;  // of the offer tests of all families, about
};

// The results of a run of an experiment, and the contributions of its families as the plugins are now.
struct RunReportResult {
  std::optional<PoolReport>
      pool;  // what they contribute; nothing where that was not wanted, or cannot be found
  page::Piece page;
};

// Errors (kInput): no such run, other data than it was run on; those of loading, training and of the records;
// kStopped.
Result<RunReportResult> report_run(const RunReportSettings& settings, const WorkContext& work);

}  // namespace mash
