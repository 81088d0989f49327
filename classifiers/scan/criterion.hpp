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

// Rows of numbers, added up by the code of one feature. A row is what an example adds: its K signed weights,
// or other numbers that the criterion is made for.
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

// The meaning of the best stump: the measure by which the cuts of a feature are compared, called the edge
// here, and the votes on both sides of a cut. It is asked once for each column of a feature, never for each
// cut; all members may be called by several threads at once. A new one derives its two searches from
// cut_walk.hpp.
class Criterion {
 public:
  virtual ~Criterion() = default;

  // The best cut between codes, in one pass over them in increasing order. Among cuts whose edges are equal
  // up to rounding the lowest, the constant first. `threshold` is left to the caller.
  virtual DoubleCut best_cut(const CodeSums& sums) const = 0;

  // The best cut between distinct values, the same rule for equals. rows: as many numbers as `totals` has for
  // each example that column.rows names; totals: their sums over all examples. Where two thresholds would do,
  // see cut_between; no cut is at -infinity, so that it and what is missing stay together.
  virtual DoubleCut best_cut_of_values(const SortedColumn& column, std::span<const double> rows,
                                       std::span<const double> totals) const = 0;

  // The edge and the votes of one cut; of cut 0 those of the constant learner.
  virtual CutVotes votes(const CodeSums& sums, std::uint32_t cut) const = 0;

  // Whether the kernels on integers can search by it: they compute the sum over classes of |above - below|
  // and nothing else. A criterion without a kernel needs scan mode f64.
  virtual bool has_integer_kernel() const = 0;
};

// row_size sums, over rows of as many numbers.
std::vector<double> sum_of_rows(std::span<const double> rows, std::size_t row_size);

// Above less below the cut, for each number of a row: with signed weights the edge of every class.
std::vector<double> class_edges(const CodeSums& sums, std::uint32_t cut);

}  // namespace mash
