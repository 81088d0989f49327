// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/reproductions/common/report.hpp"

namespace mash {

// Dubout & Fleuret 2014, Figure 2: what three strategies lack of the largest edge at equal cost.
struct GapResult {
  std::uint64_t cost = 0;                 // Q S, in evaluations
  std::string strategy;                   // as shown
  std::vector<std::vector<double>> runs;  // per seed the gap of each round
};
ReproductionReport gap_figure_report(std::span<const GapResult> results);

}  // namespace mash
