// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/scan/sorted_columns.hpp"

namespace mash {

// A cut with its edge. cut 0 / threshold -infinity: the constant learner.
struct DoubleCut {
  std::uint32_t cut = 0;  // phi = +1 where code >= cut, or from this place of a sorted column on
  float threshold = 0;    // of values: phi = +1 where x >= threshold
  double edge = 0;
};

// Best stump in double precision on a histogram of signed weights: sums[code * num_classes + l], one pass
// over codes in increasing order (edge of a cut = sum over l of |c_l - 2 p_l|). Among equals the lowest cut,
// the constant first.
DoubleCut best_cut(std::span<const double> sums, std::size_t num_codes, std::size_t num_classes);

// The edge per class, c_l - 2 p_l, of a cut; the votes are its signs, sign(0) = +1.
std::vector<double> class_edges(std::span<const double> sums, std::size_t num_codes, std::size_t num_classes,
                                std::uint32_t cut);

// K sums, over rows of K = num_classes numbers.
std::vector<double> sum_of_rows(std::span<const double> rows, std::size_t num_classes);

// Best stump on values: walks the cuts between distinct ones. weights: K to each row that the column's `rows`
// name; totals: their K sums. A cut next to an infinity, or between neighbouring floats, is at the upper
// value; none is at -infinity, so that it and what is missing stay together.
DoubleCut best_cut_of_values(const SortedColumn& column, std::span<const double> weights,
                             std::span<const double> totals);

}  // namespace mash
