// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classifiers/events/observer.hpp"
#include "framework/reproductions/common/report.hpp"
#include "framework/reproductions/reservoir/published.hpp"

namespace mash {

// Results of our runs of one cell of a table.
struct ReservoirResult {
  std::size_t set = 0, method = 0, size = 0;  // indices: of reservoir_sets, the table's methods, its columns
  double shrink = 1;                          // 1: the exact line search; below, shorter steps
  std::uint32_t num_rounds = 0;               // T, of each class
  std::vector<std::vector<CurvePoint>> curves;  // per seed; the last point is that of the whole ensemble
};

// A row per cell: the paper's accuracy, ours with its 95 % interval over the seeds, and the distance where
// data and T are the paper's. The remarks say for each data set, number of examples and length of the steps
// whether the paper's order holds, and whether its accuracies do (orders.hpp); the Markdown has the
// differences of all pairs of methods with sign tests; the picture has accuracies against rounds.
// command: that does the same again. REQUIRES: every result has a curve, those of one table the same seeds.
ReproductionReport reservoir_report(const ReservoirTable& table, std::span<const ReservoirResult> results,
                                    const std::string& command);

}  // namespace mash
