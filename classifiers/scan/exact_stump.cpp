// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/exact_stump.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "framework/families/quantiser.hpp"

namespace mash {
namespace {

// sum over l of |c_l - 2 p_l|.
double edge_of(std::span<const double> totals, std::span<const double> below) {
  double edge = 0;
  for (std::size_t l = 0; l < totals.size(); ++l) edge += std::abs(totals[l] - 2 * below[l]);
  return edge;
}

// Equal up to rounding: a cut must be better than the one before by more than this to replace it.
bool better(double edge, double best) { return edge > best * (1 + 1e-12) && edge > best; }

}  // namespace

DoubleCut best_cut(std::span<const double> sums, std::size_t num_codes, std::size_t num_classes) {
  std::vector<double> totals(num_classes), below(num_classes);
  for (std::size_t code = 0; code < num_codes; ++code)
    for (std::size_t l = 0; l < num_classes; ++l) totals[l] += sums[code * num_classes + l];
  DoubleCut best{0, -std::numeric_limits<float>::infinity(), edge_of(totals, below)};
  for (std::uint32_t cut = 1; cut < num_codes; ++cut) {
    for (std::size_t l = 0; l < num_classes; ++l) below[l] += sums[(cut - 1) * num_classes + l];
    if (const double edge = edge_of(totals, below); better(edge, best.edge)) best = {cut, 0, edge};
  }
  return best;
}

std::vector<double> class_edges(std::span<const double> sums, std::size_t num_codes, std::size_t num_classes,
                                std::uint32_t cut) {
  std::vector<double> edges(num_classes);
  for (std::size_t code = 0; code < num_codes; ++code) {
    const double sign = code >= cut ? 1 : -1;
    for (std::size_t l = 0; l < num_classes; ++l) edges[l] += sign * sums[code * num_classes + l];
  }
  return edges;
}

DoubleCut best_cut_of_values(std::span<const float> values, std::span<const double> weights,
                             std::size_t num_classes) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const bool a_missing = std::isnan(values[a]), b_missing = std::isnan(values[b]);
    if (a_missing || b_missing) return a_missing != b_missing ? a_missing : a < b;
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  });
  std::vector<double> totals(num_classes), below(num_classes);
  for (const std::uint32_t n : order)
    for (std::size_t l = 0; l < num_classes; ++l) totals[l] += weights[n * num_classes + l];
  DoubleCut best{0, -std::numeric_limits<float>::infinity(), edge_of(totals, below)};
  for (std::size_t i = 1; i < order.size(); ++i) {
    for (std::size_t l = 0; l < num_classes; ++l) below[l] += weights[order[i - 1] * num_classes + l];
    const float lo = values[order[i - 1]], hi = values[order[i]];
    if (std::isnan(hi) || lo == hi) continue;
    const double edge = edge_of(totals, below);
    if (better(edge, best.edge)) best = {std::uint32_t(i), std::isnan(lo) ? hi : cut_between(lo, hi), edge};
  }
  return best;
}

}  // namespace mash
