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

// The cell of each row, and where the rows of each cell are added up: num_classes numbers a cell, which no
// other column has.
struct ColumnSums {
  const std::uint8_t* cells = nullptr;
  double* sums = nullptr;
};

// Adds each row to sums[cell * num_classes + l] of each column, in their order: the same bits on every
// instruction set, and for each column as for it alone. Two columns take little longer than one: most of the
// time goes into fetching weights.
void add_to_cells(const SummedRows& rows, std::span<const ColumnSums> columns);

// The same of one column in plain loops: the reference.
void add_to_cells_reference(const SummedRows& rows, const ColumnSums& column);

}  // namespace mash
