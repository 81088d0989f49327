// SPDX-License-Identifier: Apache-2.0
#include "framework/render/limit_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <variant>

#include "framework/base/number.hpp"

namespace mash {
namespace {

// The cell of that column; nothing where there is no such column.
Cell cell_at(const Table& table, const std::vector<Cell>& row, std::string_view key) {
  const auto column = std::ranges::find(table.columns, key, &Column::key);
  return column == table.columns.end() ? Cell() : row[std::size_t(column - table.columns.begin())];
}

}  // namespace

std::string limit_note(const Table& table) {
  std::string names;
  for (const auto& row : table.rows) {
    const Cell limit = cell_at(table, row, "limited_by");
    if (const auto* text = std::get_if<std::string>(&limit); text == nullptr || *text != "pictures") continue;
    names += (names.empty() ? "" : ", ") + show(cell_at(table, row, "heuristic"), Format::kText);
    const Cell wanted = cell_at(table, row, "wanted_pictures");
    if (const auto* count = std::get_if<std::int64_t>(&wanted))
      names += fmt::format(" (about {} pictures would)", in_digits(double(*count), 2));
  }
  if (names.empty()) return "";
  return "No number of seeds parts these from all of their neighbours; the judging pictures are the limit: " +
         names;
}

}  // namespace mash
