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
  // Orders of the families for their credits, where not all are known; nothing: until these are known, 24 at
  // most.
  std::optional<std::uint32_t> orders = {};
  bool recorded_only = false;  // show what the records hold; train nothing
  WorkspaceSettings workspace;
  double offer_seconds = 95;  // of the offer tests of all families, approximately
};

// The results of a run of an experiment, and the contributions of its families, measured with the plugins of
// now.
struct RunReportResult {
  std::optional<PoolReport>
      pool;  // the contributions; nothing where they were not wanted or cannot be measured
  page::Piece page;
};

// Errors (kInput): there is no such run; the data are others than it was run on; those of loading, of
// training and of the records; kStopped.
Result<RunReportResult> report_run(const RunReportSettings& settings, const WorkContext& work);

}  // namespace mash
