// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "classifiers/scan/sorted_columns.hpp"

namespace mash {

// The threshold of the constant learner: phi = +1 everywhere.
inline constexpr float kConstant = -std::numeric_limits<float>::infinity();

// A cut with its edge. cut 0 / threshold kConstant: the constant learner.
struct DoubleCut {
  std::uint32_t cut = 0;  // phi = +1 where code >= cut, or from this place of a sorted column on
  float threshold = 0;    // of values: phi = +1 where x >= threshold
  double edge = 0;
};

// Rows of numbers, added up by the code of one feature. Each example adds one row: its K signed weights, or
// other numbers for which the criterion is made.
struct CodeSums {
  std::span<const double> sums;  // num_codes x row_size
  std::size_t num_codes = 0;
  std::size_t row_size = 0;
};

// Votes of the stump of a cut.
struct CutVotes {
  double edge = 0;            // >= 0
  std::vector<double> cells;  // 2 x K: the votes below the cut, then those above
};

// A criterion says which stump is best. It gives the measure by which the cuts of a feature are compared,
// called the edge here, and the votes on both sides of a cut. It is asked once for each column of a feature,
// never for each cut. Several threads may call any of its members at once. A new criterion takes its two
// searches from cut_walk.hpp.
class Criterion {
 public:
  virtual ~Criterion() = default;

  // The best cut between codes, found in one pass over the codes in increasing order. Where edges are equal
  // up to rounding, the lowest cut wins, the constant before all. `threshold` is left to the caller.
  virtual DoubleCut best_cut(const CodeSums& sums) const = 0;

  // The best cut between distinct values, with the same rule for equal edges. rows: for each example that
  // column.rows names, as many numbers as `totals` has. totals: the sums of these numbers over all examples.
  // cut_between chooses the threshold between two values. No cut is at -infinity, so that examples with this
  // value stay together with those whose value is missing.
  virtual DoubleCut best_cut_of_values(const SortedColumn& column, std::span<const double> rows,
                                       std::span<const double> totals) const = 0;

  // The edge and the votes of one cut. Cut 0 stands for the constant learner.
  virtual CutVotes votes(const CodeSums& sums, std::uint32_t cut) const = 0;

  // Whether the integer kernels can search by this criterion. They compute the sum over classes of |above -
  // below| and nothing else. A criterion without a kernel needs scan mode f64.
  virtual bool has_integer_kernel() const = 0;
};

// The sum of the rows, each of row_size numbers.
std::vector<double> sum_of_rows(std::span<const double> rows, std::size_t row_size);

// The sum above the cut less the sum below it, for each number of a row. With signed weights these are the
// edges of the classes.
std::vector<double> class_edges(const CodeSums& sums, std::uint32_t cut);

}  // namespace mash
