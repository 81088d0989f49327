// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/records/records.hpp"
#include "framework/reproductions/common/report.hpp"

namespace mash {

// Busa-Fekete & Kegl 2010, Figure 3: how often each feature was selected.
struct SelectionResult {
  std::string set;                         // "diagonal"
  std::size_t num_relevant = 0;            // the features that matter, the first ones
  std::string method;                      // "EXP3.P"
  std::vector<std::vector<double>> runs;   // per seed the share of the rounds of each feature
  std::vector<std::vector<double>> early;  // the same of the first kEarlyRounds
  bool has_fewer_rounds = false;           // than the paper's: what it says of them is not judged
};
inline constexpr std::uint32_t kEarlyRounds = 100;
ReproductionReport selection_figure_report(std::span<const SelectionResult> results);

// The share of the first num_rounds rounds of a recorded run in which each of num_features features was
// selected; of the first family. Rounds that found nothing count for none.
Result<std::vector<double>> selection_shares(const RecordsReader& records, std::int64_t run_id,
                                             std::size_t num_features, std::uint32_t num_rounds);

}  // namespace mash
