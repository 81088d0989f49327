// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/tables/table_header.hpp"

#include <algorithm>
#include <array>

#include "framework/base/number.hpp"
#include "framework/dataset/tables/table_plan.hpp"

namespace mash {
namespace {

// Whether the first row has the name of a column that the settings name.
bool has_named_column(const TextTable& table, const TableOptions& options) {
  const auto first = first_row(table);
  const auto is_in_first = [&](const std::string& name) {
    return first.contains(name) && !number_in<std::int64_t>(name);
  };
  return (options.label && is_in_first(*options.label)) || std::ranges::any_of(options.ignore, is_in_first) ||
         std::ranges::any_of(options.nominal, is_in_first);
}

// How the first row compares with the column below it.
enum class Above {
  kText,    // text above numbers
  kNumber,  // a number above numbers
  kFound,   // a name that is found below, too
  kNew,     // a name that is not found below
  kNothing,
};

Above compare_first(const TextTable& table, std::size_t column, const TableOptions& options) {
  const auto is_nothing = [&](std::string_view cell) {
    return cell.empty() || cell == "?" || options.is_missing(cell);
  };
  const std::string_view first = table.cell(0, column);
  if (is_nothing(first)) return Above::kNothing;
  bool any = false, all_numbers = true, is_found = false;
  for (std::size_t row = 1; row < table.num_rows(); ++row) {
    const std::string_view cell = table.cell(row, column);
    if (is_nothing(cell)) continue;
    any = true;
    all_numbers = all_numbers && options.number_in(cell);
    is_found = is_found || cell == first;
    if (!all_numbers && is_found) break;
  }
  if (!any) return Above::kNothing;
  if (all_numbers) return options.number_in(first) ? Above::kNumber : Above::kText;
  return is_found ? Above::kFound : Above::kNew;
}

// Whether the numbers of the first row count its columns from 0 or 1, as those of a header that some program
// made. Two ones, 1 and 2, are too few to say so.
bool counts_columns(const TextTable& table) {
  std::vector<std::int64_t> numbers;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    if (const auto number = number_in<std::int64_t>(table.cell(0, column))) numbers.push_back(*number);
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] != numbers[i - 1] + 1) return false;
  return numbers.size() > 2 ? numbers[0] == 0 || numbers[0] == 1 : numbers.size() == 2 && numbers[0] == 0;
}

// Whether the numbers of the first row may be names, such as years or wavelengths: they rise.
bool may_name_columns(const TextTable& table, const TableOptions& options) {
  constexpr double kFirstYear = 1900, kLastYear = 2100;
  std::vector<double> numbers;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    if (const auto number = options.number_in(table.cell(0, column))) numbers.push_back(*number);
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] <= numbers[i - 1]) return false;
  const bool are_years = numbers.size() == 2 && numbers[1] == numbers[0] + 1 && numbers[0] >= kFirstYear &&
                         numbers[1] <= kLastYear;
  return numbers.size() > 2 || are_years;
}

bool repeats_labels(const TextTable& table, std::size_t label) {
  std::unordered_set<std::string_view> labels;
  for (std::size_t row = 1; row < table.num_rows(); ++row)
    if (!labels.insert(table.cell(row, label)).second) return true;
  return false;
}

}  // namespace

std::unordered_set<std::string_view> first_row(const TextTable& table) {
  return {table.cells.begin(), table.cells.begin() + std::ptrdiff_t(table.columns.size())};
}

bool has_header_for(const TableLayout& layout, const TextTable& table) {
  const auto first = first_row(table);
  return !layout.has_only_places() ||
         std::ranges::all_of(layout.names, [&](const std::string& name) { return first.contains(name); });
}

std::size_t num_without_name(const TextTable& table) {
  std::size_t num = 0;
  while (num < table.columns.size() &&
         (table.cell(0, num).empty() || table.cell(0, num).starts_with("Unnamed: ")))
    ++num;
  return num;
}

std::optional<bool> guess_header(const TextTable& table, const TableOptions& options) {
  if (has_named_column(table, options)) return true;
  std::array<std::size_t, 5> counts{};
  std::vector<Above> above;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    ++counts[std::size_t(above.emplace_back(compare_first(table, column, options)))];
  const auto num = [&](Above kind) { return counts[std::size_t(kind)]; };
  const auto label_place = label_column(options, table);
  const Above label = label_place.ok() ? above[*label_place] : Above::kNothing;
  if (num(Above::kText) > 0) return num(Above::kNumber) > 0 ? std::nullopt : std::optional(true);
  if (num(Above::kNumber) > 0) {
    if (label != Above::kNew) return false;
    if (counts_columns(table)) return num_without_name(table) > 0 ? std::optional(true) : std::nullopt;
    return may_name_columns(table, options) && repeats_labels(table, *label_place) ? std::nullopt
                                                                                   : std::optional(false);
  }
  if (table.num_rows() < 2) {
    const bool any_number = std::ranges::any_of(
        table.cells, [&](std::string_view cell) { return bool(options.number_in(cell)); });
    return any_number ? std::optional(false) : std::nullopt;
  }
  if (label != Above::kNew) return false;
  const bool is_clear = num(Above::kFound) == 0 && repeats_labels(table, *label_place);
  return is_clear ? std::optional(true) : std::nullopt;
}

}  // namespace mash
