// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/dataset/dataset.hpp"
#include "framework/families/columns/column_table.hpp"

namespace mash {

// The values that a table of columns has for the pictures of a data set. Immutable.
class GivenColumns {
 public:
  // Finds the row of each picture: by its name, where the table has names (that of example_name, or the whole
  // path of its file; rows of other pictures are left alone); else the rows are those of all pictures that
  // the data set lists, before any of them are left out for a side (Split::listed). Errors (kInput): another
  // number of rows; a picture without a row, or without a name; a table of columns or training pictures
  // without end instead of pictures.
  static Result<GivenColumns> match(ColumnTable table, const Dataset& dataset);

  std::uint32_t dim() const { return table_.num_columns; }
  // The row of an example, training examples first.
  std::span<const float> row(std::size_t example) const {
    return std::span(table_.values)
        .subspan(std::size_t(rows_[example]) * table_.num_columns, table_.num_columns);
  }
  // A SHA-256 over the values of all examples: equal where these are.
  const std::string& sha256() const { return sha256_; }

 private:
  GivenColumns(ColumnTable table, std::vector<std::uint32_t> rows);

  ColumnTable table_;
  std::vector<std::uint32_t> rows_;  // of each example
  std::string sha256_;
};

}  // namespace mash
