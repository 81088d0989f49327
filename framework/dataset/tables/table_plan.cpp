// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/tables/table_plan.hpp"

#include <algorithm>

#include "framework/base/lower_case.hpp"
#include "framework/base/number.hpp"

namespace mash {
namespace {

// A remark on the columns that the plan leaves out, if there are any.
void remark_on_others(std::span<const std::size_t> also_known, TablePlan& plan) {
  std::vector<bool> is_known(plan.table->columns.size());
  for (const std::size_t column : plan.columns) is_known[column] = true;
  for (const std::size_t column : also_known) is_known[column] = true;
  if (plan.label) is_known[*plan.label] = true;
  std::vector<std::string_view> others;
  for (std::size_t column = 0; column < is_known.size(); ++column)
    if (!is_known[column]) others.push_back(plan.table->columns[column]);
  if (!others.empty())
    plan.remarks.push_back(fmt::format("{}: passed over the column{} {}", plan.table->source->place(),
                                       others.size() == 1 ? "" : "s", listed(others)));
}

// The column of labels in a file that may have none.
std::optional<std::size_t> find_label(const TableLayout& layout, const TableOptions& options,
                                      const TextTable& table, const ColumnIndex& index) {
  const auto unless_of_model = [&](std::optional<std::size_t> column) -> std::optional<std::size_t> {
    if (column && layout.has(table.columns[*column])) return std::nullopt;
    return column;
  };
  if (!options.label && !layout.label.empty()) return unless_of_model(index.find(layout.label));
  const auto column = label_column(options, table);
  return column.ok() ? unless_of_model(*column) : std::nullopt;
}

// A remark where the last column is taken for the label only as nobody named one, and another column has the
// name of labels.
void remark_on_label(const TableOptions& options, TablePlan& plan) {
  static constexpr std::string_view kNames[] = {"label", "labels", "class", "target"};
  const auto is_of_labels = [](std::string_view column) {
    return std::ranges::find(kNames, in_lower_case(column)) != std::end(kNames);
  };
  const std::vector<std::string>& columns = plan.table->columns;
  if (options.label || is_of_labels(columns[*plan.label])) return;
  const auto named = std::ranges::find_if(columns, is_of_labels);
  const bool is_feature =
      named != columns.end() && std::ranges::find(options.ignore, *named) == options.ignore.end();
  if (is_feature)
    plan.remarks.push_back(fmt::format(
        "{}: the last column, {}, is taken for the label, and {} for a feature; label: {} changes it",
        plan.table->source->place(), columns[*plan.label], *named, *named));
}

std::size_t num_without_label(const TableOptions& options, const TextTable& table, std::size_t column) {
  std::size_t num = 0;
  for (std::size_t row = 0; row < table.num_rows(); ++row)
    if (const auto cell = table.cell(row, column); cell.empty() || options.is_missing(cell) || cell == "?")
      ++num;
  return num;
}

}  // namespace

ColumnIndex::ColumnIndex(const TextTable& table) : table_(table) {
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    places_.emplace(table.columns[column], column);
}

std::optional<std::size_t> ColumnIndex::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

Result<std::size_t> ColumnIndex::column(std::string_view wanted, std::string_view key) const {
  if (const auto named = find(wanted)) return *named;
  const auto num_columns = std::int64_t(table_.columns.size());
  const auto index = mash::number_in<std::int64_t>(wanted);
  if (index && *index >= -num_columns && *index < num_columns)
    return std::size_t(*index < 0 ? *index + num_columns : *index);
  return input_error("{}: {}: found no column '{}', expected an index from {} to {} or one of {}",
                     table_.source->place(), key, wanted, -num_columns, num_columns - 1,
                     listed(table_.columns));
}

Result<std::size_t> label_column(const TableOptions& options, const TextTable& table) {
  const std::string label = options.label.value_or("last");
  if (label == "last") return table.columns.size() - 1;
  if (label == "first") return std::size_t(0);
  return ColumnIndex(table).column(label, "label");
}

Result<TablePlan> plan_of(const TableOptions& options, const TextTable& table) {
  const ColumnIndex index(table);
  TablePlan plan{&table, {}, {}, {}};
  MASH_ASSIGN(plan.label, label_column(options, table));
  std::vector<bool> is_ignored(table.columns.size());
  for (const std::string& name : options.ignore) {
    MASH_ASSIGN(const std::size_t column, index.column(name, "ignore"));
    is_ignored[column] = true;
  }
  if (is_ignored[*plan.label])
    return input_error("{}: ignore: column {} is the label", table.source->place(),
                       table.columns[*plan.label]);
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    if (column != *plan.label && !is_ignored[column]) plan.columns.push_back(column);
  if (plan.columns.empty())
    return input_error("{}: found no column beside the label, expected at least one", table.source->place());
  remark_on_label(options, plan);
  return plan;
}

Result<TablePlan> plan_like(const TablePlan& train, const TextTable& test) {
  const ColumnIndex index(test);
  TablePlan plan{&test, {}, {}, {}};
  const auto place_of = [&](std::size_t column) -> Result<std::size_t> {
    const std::string& name = train.table->columns[column];
    if (const auto found = index.find(name)) return *found;
    return input_error("{}: found no column '{}', which {} has; found {}", test.source->place(), name,
                       train.table->source->place(), listed(test.columns));
  };
  MASH_ASSIGN(plan.label, place_of(*train.label));
  for (const std::size_t column : train.columns) {
    MASH_ASSIGN(const std::size_t place, place_of(column));
    plan.columns.push_back(place);
  }
  std::vector<std::size_t> ignored;
  for (const std::string& name : train.table->columns)
    if (const auto found = index.find(name)) ignored.push_back(*found);
  remark_on_others(ignored, plan);
  return plan;
}

Result<TablePlan> plan_for(const TableLayout& layout, const TableOptions& options, const TextTable& table) {
  const ColumnIndex index(table);
  TablePlan plan{&table, {}, {}, {}};
  for (const std::string& name : layout.names) {
    const auto found = index.find(name);
    if (!found) return lacks_column(name, table.columns).at(table.source->place());
    plan.columns.push_back(*found);
  }
  plan.label = find_label(layout, options, table, index);
  std::vector<std::size_t> known;
  const std::size_t num_unlabelled = plan.label ? num_without_label(options, table, *plan.label) : 0;
  if (num_unlabelled > 0) {
    if (num_unlabelled < table.num_rows())
      plan.remarks.push_back(fmt::format("{}: {} of {} rows have no label; labels are passed over",
                                         table.source->place(), num_unlabelled, table.num_rows()));
    known.push_back(*plan.label);
    plan.label.reset();
  }
  for (const std::string& name : options.ignore) {
    const auto column = index.column(name, "ignore");
    if (!column.ok()) continue;
    if (layout.has(table.columns[*column]))
      return input_error("{}: ignore: found the column {}, which the model was trained on",
                         table.source->place(), table.columns[*column]);
    known.push_back(*column);
  }
  remark_on_others(known, plan);
  return plan;
}

}  // namespace mash
