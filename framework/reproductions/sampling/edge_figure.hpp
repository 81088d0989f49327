// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "framework/reproductions/common/report.hpp"

namespace mash {

// Dubout & Fleuret 2014, Figure 1: the expected true edge of the candidate with the largest measured edge,
// for true edges ~ N(0, s^2) and noise ~ N(0, 1/S), as Q candidates on S examples share a cost Q S. Per s^2
// and cost a row with the best Q, by quadrature and by simulation with `seed`.
ReproductionReport edge_figure_report(std::uint64_t seed);

// The best Q on a grid of ratio 10^(1/8) at cost Q S, and what is expected of it.
struct BestSplit {
  double num_features = 0, num_examples = 0, expected_edge = 0;
};
BestSplit best_split(double variance, double cost);

}  // namespace mash
