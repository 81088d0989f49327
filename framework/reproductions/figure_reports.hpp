// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/records/records.hpp"
#include "framework/reproductions/reproduction_report.hpp"

namespace mash {

// Figures of the papers, which print no numbers: ours, and whether what the papers say of theirs holds. No
// Markdown.

// Dubout & Fleuret 2014, Figure 1: the expected true edge of the candidate with the largest measured edge,
// for true edges ~ N(0, s^2) and noise ~ N(0, 1/S), as Q candidates on S examples share a cost Q S. Per s^2
// and cost a row with the best Q, by quadrature and by simulation with `seed`.
ReproductionReport edge_figure_report(std::uint64_t seed);

// The best Q on a grid of ratio 10^(1/8) at cost Q S, and what is expected of it.
struct BestSplit {
  double num_features = 0, num_examples = 0, expected_edge = 0;
};
BestSplit best_split(double variance, double cost);

// Dubout & Fleuret 2014, Figure 2: what three strategies lack of the largest edge at equal cost.
struct GapResult {
  std::uint64_t cost = 0;                 // Q S, in evaluations
  std::string strategy;                   // as shown
  std::vector<std::vector<double>> runs;  // per seed the gap of each round
};
ReproductionReport gap_figure_report(std::span<const GapResult> results);

// Busa-Fekete & Kegl 2010, Figure 3: how often each feature was selected.
struct SelectionResult {
  std::string set;                         // "diagonal"
  std::size_t num_relevant = 0;            // the first so many features matter
  std::string method;                      // "EXP3.P"
  std::vector<std::vector<double>> runs;   // per seed the share of the rounds of each feature
  std::vector<std::vector<double>> early;  // the same of the first kEarlyRounds
};
inline constexpr std::uint32_t kEarlyRounds = 100;
ReproductionReport selection_figure_report(std::span<const SelectionResult> results);

// The share of the first num_rounds rounds of a recorded experiment in which each of num_features features
// was selected; of the first family. Rounds that found nothing count for none.
Result<std::vector<double>> selection_shares(Records& records, std::int64_t experiment_id,
                                             std::size_t num_features, std::uint32_t num_rounds);

}  // namespace mash
