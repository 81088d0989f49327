// SPDX-License-Identifier: Apache-2.0
#include "framework/render/limit_note.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <variant>

#include "framework/base/number.hpp"

namespace mash {

std::string limit_note(const Table& table) {
  std::string names;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Cell* limit = find_cell(table, row, "limited_by");
    if (limit == nullptr || show(*limit, Format::kText) != "pictures") continue;
    const Cell *name = find_cell(table, row, "heuristic"), *wanted = find_cell(table, row, "wanted_pictures");
    names += (names.empty() ? "" : ", ") + show(name == nullptr ? Cell() : *name, Format::kText);
    if (const auto* count = wanted == nullptr ? nullptr : std::get_if<std::int64_t>(wanted))
      names += fmt::format(" (about {} pictures would)", in_digits(double(*count), 2));
  }
  if (names.empty()) return "";
  return "No number of seeds parts these from all of their neighbours; the judging pictures are the limit: " +
         names;
}

}  // namespace mash
