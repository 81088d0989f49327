// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/base/statistics.hpp"

namespace mash {

using Cell = std::variant<std::monostate, std::int64_t, double, std::string, Estimate>;

// How a column is shown to people; machines get the plain number.
enum class Format {
  kText,
  kCount,         // 12345; from a million on with three digits and a prefix: 1.23 M
  kPercent,       // a fraction, as per cent
  kPoints,        // a difference of fractions, in points: +1.23
  kDecimal,       // three significant digits, no trailing zeros
  kMicroseconds,  // seconds, as microseconds
};

struct Column {
  std::string key;    // for machines; its unit is the SI unit or a fraction
  std::string title;  // for people, with the unit
  Format format = Format::kText;
  bool is_estimate = false;  // all of its cells are Estimate or nothing
};

// The plain result of a query, ready for any way of showing it.
struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each as long as `columns`
  std::string hint;                     // what to do when there are no rows
};

// One cell as people read it; an empty one is a dash.
std::string show(const Cell& cell, Format format);

// Whether a cell is an estimate with its interval, which is shown behind a ±.
bool has_intervals(const Table& table);

// The number of the column with this key; that of all columns where there is none.
std::size_t place_of_column(const Table& table, std::string_view key);
// The cell of a row in this column; null where there is no such column. It lives as long as the table.
const Cell* find_cell(const Table& table, std::size_t row, std::string_view key);

// The table without this column, where it has it.
Table without_column(Table table, std::string_view key);
// The same where all of its cells are empty.
Table without_empty_column(Table table, std::string_view key);

// Aligned columns; names left, numbers right. Control characters in names are shown as '?'.
std::string render_text(const Table& table);
// A table of Markdown, without its title.
std::string render_markdown(const Table& table);
// {"title", "columns", "rows": [{key: value}], "hint" (only without rows)}; an estimate is `key` and
// `key_ci95`, half the width of its interval or null.
std::string render_json(const Table& table);
// The table with an apostrophe before text that a spreadsheet would take for a formula.
Table without_formulas(Table table);
// RFC 4180, keys as its first line; an estimate takes two columns, as in JSON.
std::string render_csv(const Table& table);

}  // namespace mash
