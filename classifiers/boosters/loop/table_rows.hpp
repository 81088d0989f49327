// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace mash {

// A row of numbers for each cell, and the cell of each example.
struct TableRows {
  const std::uint8_t* cells = nullptr;
  const double* rows = nullptr;
};

// Row n of `sums` (row_size numbers) += the row of example n of each table, one after the other.
void add_table_rows(std::span<const TableRows> tables, std::size_t num_examples, std::size_t row_size,
                    double* sums);

}  // namespace mash
