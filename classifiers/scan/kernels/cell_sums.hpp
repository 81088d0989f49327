// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace mash {

// Some rows of num_classes weights.
struct SummedRows {
  std::span<const double> weights;        // of all rows there are
  std::span<const std::uint32_t> rows;    // which ones; empty: the first
  std::span<const std::uint8_t> negated;  // 1: the row changes sign; empty: none does
  std::size_t num_rows = 0, num_classes = 0;
};

// The cell of each row, and the sums of the rows of each cell: num_classes numbers for each cell. No two
// columns share these sums.
struct ColumnSums {
  const std::uint8_t* cells = nullptr;
  double* sums = nullptr;
};

// Adds each row to sums[cell * num_classes + l] of each column, in the order of the rows. The sums have the
// same bits on every instruction set, and also where a column is summed alone. Two columns take little longer
// than one: most of the time goes into fetching weights.
void add_to_cells(const SummedRows& rows, std::span<const ColumnSums> columns);

// The same for one column in plain loops: the reference.
void add_to_cells_reference(const SummedRows& rows, const ColumnSums& column);

}  // namespace mash
