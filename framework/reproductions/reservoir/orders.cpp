// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reservoir/orders.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/paired_tests.hpp"

namespace mash {

PairedAccuracies compare_accuracies(std::span<const double> a, std::span<const double> b) {
  PairedAccuracies result;
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differences.push_back(a[i] - b[i]);
    result.num_more += a[i] > b[i];
    result.num_less += a[i] < b[i];
  }
  result.difference = estimate(differences);
  if (differ_alike(a, b)) result.difference.half_width.reset();
  // The sign test is the exact form of McNemar's.
  result.sign_p = mcnemar(result.num_more, result.num_less).p_exact;
  return result;
}

std::vector<OrderLink> published_order(std::span<const double> accuracies) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < accuracies.size(); ++i)
    if (accuracies[i] > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return accuracies[a] > accuracies[b]; });
  std::vector<OrderLink> links;
  for (std::size_t i = 1; i < order.size(); ++i)
    links.push_back({order[i - 1], order[i], accuracies[order[i - 1]] - accuracies[order[i]] < kAlike});
  return links;
}

Verdict verdict_of(const OrderLink& link, const Estimate& difference) {
  if (link.is_alike) return verdict_within(difference, kAlike);
  if (!difference.half_width) return Verdict::kUndecided;
  if (difference.mean - *difference.half_width > 0) return Verdict::kHeld;
  return difference.mean + *difference.half_width < 0 ? Verdict::kRefuted : Verdict::kUndecided;
}

Verdict verdict_within(const Estimate& difference, double tolerance) {
  if (!difference.half_width) return Verdict::kUndecided;
  const double off = std::abs(difference.mean);
  if (off + *difference.half_width <= tolerance) return Verdict::kHeld;
  return off - *difference.half_width > tolerance ? Verdict::kRefuted : Verdict::kUndecided;
}

}  // namespace mash
