// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/base/statistics.hpp"
#include "framework/reproductions/common/verdict.hpp"

namespace mash {

// Two methods on the same seeds, in points.
struct PairedAccuracies {
  Estimate difference;  // of a - b; no interval of one seed, nor where all differ by the same amount
  std::size_t num_more = 0, num_less = 0;  // seeds with a > b, a < b
  double sign_p = 1;                       // of the exact two-sided sign test
};
// REQUIRES: as many of a as of b, at least one.
PairedAccuracies compare_accuracies(std::span<const double> a, std::span<const double> b);

// Accuracies that are less than this apart, in points, count as alike.
inline constexpr double kAlike = 1;

// Two neighbours in the order of published accuracies.
struct OrderLink {
  std::size_t better = 0, worse = 0;  // indices
  bool is_alike = false;
};
// The order of the methods by their published accuracies, best first; of equal ones the first. 0: it has
// none, and is left out.
std::vector<OrderLink> published_order(std::span<const double> accuracies);

// Whether `difference` (better - worse) is as the link says: above 0, or within kAlike of it. Held: the whole
// interval is; refuted: none of it; undecided otherwise, and without an interval.
Verdict verdict_of(const OrderLink& link, const Estimate& difference);
// Whether a difference is at most `tolerance`, either way, likewise.
Verdict verdict_within(const Estimate& difference, double tolerance);

}  // namespace mash
