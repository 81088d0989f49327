// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace mash {

// Some rows of num_classes weights, each with the cell that it is added to.
struct CellRows {
  std::span<const double> weights;        // of all rows there are
  std::span<const std::uint32_t> rows;    // which ones; empty: the first
  std::span<const std::uint8_t> negated;  // 1: the row changes sign; empty: none does
  std::span<const std::uint8_t> cells;    // of each row
  std::size_t num_classes = 0;
};

// Adds each row to sums[cell * num_classes + l], in their order: the same bits on every instruction set.
void add_to_cells(const CellRows& rows, double* sums);

// The same in plain loops: the reference.
void add_to_cells_reference(const CellRows& rows, double* sums);

}  // namespace mash
