// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/records/records.hpp"

// The course of one run, as it was recorded round by round. An unknown id has no rows.
namespace mash {

// A cut of the hypothesis of a round.
struct CutRow {
  std::uint32_t round = 0;  // from 1
  double alpha = 0;         // of the round; its cuts share it
  std::uint32_t family_idx = 0, feature_idx = 0;
};
// By round, then place in the hypothesis.
Result<std::vector<CutRow>> read_cuts(const RecordsReader& records, std::int64_t run_id);

// By round; errors that were not measured are NaN.
Result<std::vector<CurvePoint>> read_curve(const RecordsReader& records, std::int64_t run_id);

}  // namespace mash
