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

// Adds, to row n of `sums` (row_size numbers), the row of example n in each table, one table after the other.
void add_table_rows(std::span<const TableRows> tables, std::size_t num_examples, std::size_t row_size,
                    double* sums);

// Writes, to row n of `out` (row_size numbers), the row of example n in the table.
void copy_table_rows(const TableRows& table, std::size_t num_examples, std::size_t row_size, double* out);

}  // namespace mash
