// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "classifiers/boosters/one_vs_all/one_vs_all.hpp"
#include "classifiers/online/round_filter.hpp"

namespace mash {

struct FilterPlanSettings {
  FilterSettings filter;
  double sample_factor = 300;  // C: round t trains on ceil(C ln(t+2)) examples
  double tau = 0.5;            // the relative error of edges
  // The edge of each hypothesis is that on as many examples; nothing: as many as tau wants.
  std::optional<std::uint64_t> edge_samples = std::nullopt;
};

// Each round of a problem trains on fresh examples (Bradley & Schapire 2007). Training examples are drawn
// uniformly with replacement, and one with the margin m = y F(x) is taken with the probability 1/(1 + e^m);
// all that are taken weigh alike. More of them then tell the edge u = P(h = y) - 1/2 of the hypothesis, and
// with it the coefficient 1/2 ln((1/2+u)/(1/2-u)); where u < 0, h is turned round. The loss of the problem
// changes by the factor sqrt(1 - 4u^2), by which the mean of e^(-alpha y h) falls on what is taken.
//
// Where the side never ends, the next examples of the stream are drawn, 256 at a time; those that a round
// leaves over are dropped.
//
// A problem ends where as many draws in a row are refused as filter_cap says. The error is that on 1000
// training examples, evenly over those that are held, or on all where there are fewer.
ProblemParts make_filter_parts(const FilterPlanSettings& settings, const PlanGround& ground);

}  // namespace mash
