// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/scan/criterion.hpp"
#include "framework/families/quantiser.hpp"

namespace mash {

// The walk over the cuts of a feature, for every criterion. During the walk, an object holds the sums of the
// rows below the cut. A criterion gives its type, which has three members:
//   Sums(std::span<const double> totals)   the cut is below all rows
//   void add_below(const double* row)      the cut moves above this row, of totals.size() numbers
//   double edge() const                    the edge of the cut, >= 0
// SumsBelow is such a type, made from a function of two sums.

// Edge: a type without state, whose call operator (totals, below) gives the edge.
template <class Edge>
class SumsBelow {
 public:
  explicit SumsBelow(std::span<const double> totals) : totals_(totals), below_(totals.size()) {}

  void add_below(const double* row) {
    for (std::size_t l = 0; l < below_.size(); ++l) below_[l] += row[l];
  }
  double edge() const { return Edge()(totals_, std::span<const double>(below_)); }

 private:
  std::span<const double> totals_;
  std::vector<double> below_;
};

// Equal up to rounding: a cut must be better than the one before by more than this to replace it.
inline bool is_better_cut(double edge, double best) { return edge > best * (1 + 1e-12) && edge > best; }

// Criterion::best_cut.
template <class Sums>
DoubleCut walk_codes(const CodeSums& sums) {
  const std::vector<double> totals =
      sum_of_rows(sums.sums.first(sums.num_codes * sums.row_size), sums.row_size);
  Sums below(totals);
  DoubleCut best{0, kConstant, below.edge()};
  for (std::uint32_t cut = 1; cut < sums.num_codes; ++cut) {
    below.add_below(&sums.sums[(cut - 1) * sums.row_size]);
    if (const double edge = below.edge(); is_better_cut(edge, best.edge)) best = {cut, 0, edge};
  }
  return best;
}

// Criterion::best_cut_of_values.
template <class Sums>
DoubleCut walk_values(const SortedColumn& column, std::span<const double> rows,
                      std::span<const double> totals) {
  Sums below(totals);
  DoubleCut best{0, kConstant, below.edge()};
  for (std::size_t i = 1; i < column.rows.size(); ++i) {
    below.add_below(&rows[column.rows[i - 1] * totals.size()]);
    const float lo = column.values[i - 1], hi = column.values[i];
    const bool none_between = lo == hi || hi == kConstant;
    if (std::isnan(hi) || none_between) continue;
    const double edge = below.edge();
    if (is_better_cut(edge, best.edge))
      best = {std::uint32_t(i), std::isnan(lo) ? hi : cut_between(lo, hi), edge};
  }
  return best;
}

}  // namespace mash
