// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// The numbers of examples, row by row: codes where all inputs are codes, else values.
struct NumberRows {
  std::size_t num_columns = 0;
  std::vector<std::uint8_t> codes = {};
  std::vector<float> values = {};  // where there are no codes

  bool are_codes() const { return values.empty(); }
  bool operator==(const NumberRows&) const = default;
};

// Adds `count` rows of numbers; of codes they are whole and 0 ... 255. REQUIRES: the rows that are there are
// of the same kind.
void add_rows(std::span<const float> numbers, bool are_codes, NumberRows& rows);

// Part of rows that stand one after the other.
struct RowRange {
  std::size_t first = 0, count = 0;
};

// out[a * of_rows.count + b] = the sum over columns i of |a_i - b_i|^power, of each query a and row b of the
// ranges. Of codes with the powers 1 and 2 it is exact, and of values added up in lanes that are the same on
// all machines. REQUIRES: rows and queries are of one kind and width; power >= 1.
void power_distances(const NumberRows& queries, const RowRange& of_queries, const NumberRows& rows,
                     const RowRange& of_rows, double power, double* out);

// out[a * of_rows.count + b] = the product of query a and row b, likewise.
void dot_products(const NumberRows& queries, const RowRange& of_queries, const NumberRows& rows,
                  const RowRange& of_rows, double* out);

}  // namespace mash
