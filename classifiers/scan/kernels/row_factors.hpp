// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace mash {

// Factors for some rows of num_classes weights: each row is multiplied by one row of a table.
struct RowFactors {
  std::span<const double> table;          // num_cells x K x K: by cell, label and class
  std::span<const std::uint8_t> cells;    // of each row
  std::span<const std::uint16_t> labels;  // of each row
  std::size_t num_classes = 0;
};

// Multiplies row n of `rows` by the table's row for its cell and label. sums[n]: the sum of the row's
// magnitudes after that. All bits are the same on every instruction set.
void multiply_rows(const RowFactors& factors, double* rows, double* sums);

// The same in plain loops: the reference.
void multiply_rows_reference(const RowFactors& factors, double* rows, double* sums);

}  // namespace mash
