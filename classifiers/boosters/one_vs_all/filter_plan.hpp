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
  // The number of examples on which the edge of each hypothesis is measured; nothing: the number follows from
  // tau.
  std::optional<std::uint64_t> edge_samples = std::nullopt;
};

// Each round of a problem trains on fresh examples (Bradley & Schapire 2007). Training examples are drawn
// uniformly with replacement. An example with the margin m = y F(x) is taken with the probability
// 1/(1 + e^m), and all examples that are taken have the same weight. Further examples, taken in the same way,
// measure the edge u = P(h = y) - 1/2 of the hypothesis, which gives the coefficient 1/2 ln((1/2+u)/(1/2-u));
// where u < 0, the votes of h are reversed. The loss of the problem changes by the factor sqrt(1 - 4u^2), the
// mean of e^(-alpha y h) over the examples that are taken.
//
// Where the side never ends, the next examples of the stream are drawn, 256 at a time. Examples that a round
// does not use are dropped.
//
// A problem ends where as many draws in a row are refused as filter_cap says. The error is that on 1000
// training examples, evenly over those that are held, or on all where there are fewer.
ProblemParts make_filter_parts(const FilterPlanSettings& settings, const PlanGround& ground);

}  // namespace mash
