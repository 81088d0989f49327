// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/exact_stump.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "framework/families/quantiser.hpp"

namespace mash {
namespace {

// sum over l of |c_l - 2 p_l|.
double edge_of(std::span<const double> totals, std::span<const double> below) {
  double edge = 0;
  for (std::size_t l = 0; l < totals.size(); ++l) edge += std::abs(totals[l] - 2 * below[l]);
  return edge;
}

// Sums of rows of K weights, all (c) and those below a cut (p), and the edge that they give, as edge_of.
// Eight magnitudes are added up side by side, so that none waits for the one before and compilers make
// vectors of them.
class WideSums {
 public:
  explicit WideSums(std::span<const double> totals)
      : num_classes_(totals.size()), totals_(totals.begin(), totals.end()) {
    totals_.resize((num_classes_ + kLanes - 1) / kLanes * kLanes);
    below_.resize(totals_.size());
  }

  void add_below(const double* row) {
    for (std::size_t l = 0; l < num_classes_; ++l) below_[l] += row[l];
  }
  double edge() const {
    std::array<double, kLanes> parts{};
    for (std::size_t l = 0; l < totals_.size(); l += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        parts[lane] += std::abs(totals_[l + lane] - 2 * below_[l + lane]);
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
      for (std::size_t lane = 0; lane < half; ++lane) parts[lane] += parts[lane + half];
    return parts[0];
  }

 private:
  static constexpr std::size_t kLanes = 8;

  std::size_t num_classes_;
  std::vector<double> totals_, below_;
};

// Equal up to rounding: a cut must be better than the one before by more than this to replace it.
bool better(double edge, double best) { return edge > best * (1 + 1e-12) && edge > best; }

}  // namespace

std::vector<double> sum_of_rows(std::span<const double> rows, std::size_t num_classes) {
  std::vector<double> sums(num_classes);
  for (std::size_t begin = 0; begin < rows.size(); begin += num_classes)
    for (std::size_t l = 0; l < num_classes; ++l) sums[l] += rows[begin + l];
  return sums;
}

DoubleCut best_cut(std::span<const double> sums, std::size_t num_codes, std::size_t num_classes) {
  const std::vector<double> totals = sum_of_rows(sums.first(num_codes * num_classes), num_classes);
  std::vector<double> below(num_classes);
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

DoubleCut best_cut_of_values(const SortedColumn& column, std::span<const double> weights,
                             std::span<const double> totals) {
  WideSums sums(totals);
  DoubleCut best{0, -std::numeric_limits<float>::infinity(), sums.edge()};
  for (std::size_t i = 1; i < column.rows.size(); ++i) {
    sums.add_below(&weights[column.rows[i - 1] * totals.size()]);
    const float lo = column.values[i - 1], hi = column.values[i];
    const bool none_between = lo == hi || hi == -std::numeric_limits<float>::infinity();
    if (std::isnan(hi) || none_between) continue;
    const double edge = sums.edge();
    if (better(edge, best.edge)) best = {std::uint32_t(i), std::isnan(lo) ? hi : cut_between(lo, hi), edge};
  }
  return best;
}

}  // namespace mash
