// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "framework/base/random.hpp"

namespace mash::testing {

// A table with names and numbers, some missing, whose columns have some order, as text.
struct GeneratedTable {
  std::vector<std::string> columns;
  std::vector<bool> is_names;
  std::vector<std::vector<std::string>> cells;  // rows
  std::vector<std::string> labels;

  std::string text(const std::vector<std::size_t>& order, std::size_t first_row, bool has_labels,
                   std::size_t num_extra) const {
    std::vector<std::string> lines;
    for (std::size_t line = 0; line <= cells.size(); ++line) {
      if (line > 0 && line <= first_row) continue;
      std::vector<std::string> fields;
      for (std::size_t i = 0; i < num_extra; ++i)
        fields.push_back(line == 0 ? fmt::format("extra {}", i) : fmt::format("{}", 7 * line % (i + 2)));
      for (const std::size_t column : order)
        fields.push_back(line == 0 ? columns[column] : cells[line - 1][column]);
      if (has_labels)
        fields.insert(fields.begin() + std::ptrdiff_t(fields.size() / 2),
                      line == 0 ? "class" : labels[line - 1]);
      lines.push_back(fmt::format("{}", fmt::join(fields, ",")));
    }
    return fmt::format("{}\n", fmt::join(lines, "\n"));
  }
};

inline GeneratedTable generated_table(RandomStream& stream) {
  GeneratedTable table;
  const std::size_t num_columns = 2 + stream.below(5), num_rows = 4 + stream.below(12);
  for (std::size_t i = 0; i < num_columns; ++i) {
    table.columns.push_back(fmt::format("column {}", i));
    table.is_names.push_back(stream.below(2) == 0);
  }
  for (std::size_t row = 0; row < num_rows; ++row) {
    auto& cells = table.cells.emplace_back();
    for (std::size_t i = 0; i < num_columns; ++i) {
      const bool is_missing = row > 0 && stream.below(8) == 0;
      const std::uint64_t value = stream.below(5);
      cells.push_back(is_missing          ? ""
                      : table.is_names[i] ? fmt::format("name{}", value)
                                          : std::to_string(value));
    }
    table.labels.push_back(row % 2 ? "yes" : "no");
  }
  return table;
}

}  // namespace mash::testing
