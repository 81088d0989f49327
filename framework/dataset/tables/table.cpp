// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/tables/table.hpp"

#include <algorithm>

#include "framework/base/number.hpp"
#include "framework/dataset/tables/column_encoder.hpp"
#include "framework/dataset/tables/table_labels.hpp"

namespace mash {
namespace {

using Kind = ExpectedColumn::Kind;

// The kind of column `i` of the data set, as far as it is known; `column` is its place in the training file.
Result<ExpectedColumn> expected_column(const TextTables& tables, std::size_t i, std::size_t column,
                                       bool is_nominal) {
  const ColumnType type = tables.types.empty() ? ColumnType{} : tables.types[column];
  if (type.kind == ColumnType::Kind::kUnusable)
    return input_error(
        "{}: column {} holds neither numbers nor declared names; the key 'ignore' leaves it out",
        tables.train.source->place(), tables.train.columns[column]);
  if (tables.layout && tables.layout->categories) {
    const std::vector<std::string>& names = (*tables.layout->categories)[i];
    return names.empty() ? ExpectedColumn{Kind::kNumbers} : ExpectedColumn{Kind::kNames, &names, true};
  }
  if (type.kind == ColumnType::Kind::kNominal)
    return ExpectedColumn{Kind::kNames, &tables.types[column].values};
  if (is_nominal) return ExpectedColumn{Kind::kNames};
  return ExpectedColumn{type.kind == ColumnType::Kind::kNumeric ? Kind::kNumbers : Kind::kGuess};
}

// The columns of the training file that the user says are of names. Where the table is read for a model, one
// that is not there is passed over.
Result<std::vector<bool>> nominal_columns(const TableOptions& options, const TextTables& tables) {
  std::vector<bool> is_nominal(tables.train.columns.size());
  const ColumnIndex index(tables.train);
  for (const std::string& name : options.nominal) {
    const auto column = index.column(name, "nominal");
    if (!column.ok() && !tables.layout) return column.error();
    if (column.ok()) is_nominal[*column] = true;
  }
  return is_nominal;
}

// Writes a column of values (of both sides) into the rows.
void put_column(const std::vector<float>& column, std::size_t position, Dataset& dataset) {
  const std::size_t num_columns = dataset.column_names.size();
  for (std::size_t row = 0; row < column.size(); ++row) {
    const bool in_train = row < dataset.train.num_examples;
    Split& side = in_train ? dataset.train : dataset.test;
    const std::size_t side_row = in_train ? row : row - dataset.train.num_examples;
    side.values[side_row * num_columns + position] = column[row];
  }
}

Status encode_columns(const TableOptions& options, const TextTables& tables,
                      const std::vector<const TablePlan*>& plans, Dataset& dataset) {
  const TablePlan& plan = *plans[0];
  MASH_ASSIGN(const std::vector<bool> is_nominal, nominal_columns(options, tables));
  const std::size_t num_columns = plan.columns.size();
  for (const std::size_t column : plan.columns) dataset.column_names.push_back(tables.train.columns[column]);
  dataset.train.values.resize(dataset.train.num_examples * num_columns);
  dataset.test.values.resize(dataset.test.num_examples * num_columns);
  ColumnEncoder encoder(options, plans);
  dataset.category_names.resize(num_columns);
  for (std::size_t i = 0; i < num_columns; ++i) {
    const std::size_t column = plan.columns[i];
    MASH_ASSIGN(const ExpectedColumn expected, expected_column(tables, i, column, is_nominal[column]));
    MASH_ASSIGN(EncodedColumn encoded, encoder.encode(i, expected));
    put_column(encoded.values, i, dataset);
    dataset.category_names[i] = std::move(encoded.names);
  }
  if (std::ranges::all_of(dataset.category_names, &std::vector<std::string>::empty))
    dataset.category_names.clear();
  const std::vector<std::string> remarks = encoder.remarks();
  dataset.warnings.insert(dataset.warnings.end(), remarks.begin(), remarks.end());
  return Done{};
}

}  // namespace

bool TableOptions::is_missing(std::string_view cell) const {
  return std::ranges::find(missing, cell) != missing.end();
}

std::optional<double> TableOptions::number_in(std::string_view cell) const {
  if (!has_decimal_comma) return data_number_in(cell);
  if (cell.find('.') != cell.npos) return std::nullopt;
  std::string with_point(cell);
  std::ranges::replace(with_point, ',', '.');
  return data_number_in(with_point);
}

Result<TableOptions> read_table_options(Settings& settings) {
  TableOptions options;
  // Their order has no meaning.
  const auto list = [&](std::string_view key, std::vector<std::string>& parts) -> Status {
    MASH_ASSIGN(parts, settings.list(key));
    std::vector<std::string> sorted = parts;
    std::ranges::sort(sorted);
    if (!parts.empty()) settings.holds(key, list_in_words(sorted));
    return Done{};
  };
  MASH_ASSIGN(const std::string label, settings.text("label", "last"));
  if (settings.has("label")) options.label = label;
  if (label == "-1") settings.holds("label", "last");
  if (label == "0") settings.holds("label", "first");
  MASH_ASSIGN(options.label_strip, settings.text("label_strip", ""));
  MASH_TRY(list("ignore", options.ignore));
  MASH_TRY(list("nominal", options.nominal));
  MASH_TRY(list("missing", options.missing));
  return options;
}

Result<Dataset> encode_table(const TableOptions& given, const TextTables& tables) {
  TableOptions options = given;
  if (tables.layout && options.missing.empty()) options.missing = tables.layout->missing;
  const auto planned = [&](const TextTable& table) {
    return tables.layout ? plan_for(*tables.layout, options, table) : plan_of(options, table);
  };
  MASH_ASSIGN(const TablePlan train, planned(tables.train));
  for (const TextTable* table : {&tables.train, tables.test})
    if (table && table->num_rows() == 0)
      return input_error("{}: found no rows, expected at least one", table->source->place());
  std::vector<const TablePlan*> plans{&train};
  TablePlan test;
  if (tables.test) {
    MASH_ASSIGN(test, tables.layout ? planned(*tables.test) : plan_like(train, *tables.test));
    plans.push_back(&test);
  }
  Dataset dataset;
  for (const TablePlan* plan : plans) {
    dataset.warnings.insert(dataset.warnings.end(), plan->remarks.begin(), plan->remarks.end());
    dataset.sources.push_back(plan->table->source->file);
  }
  const ColumnType label_type =
      tables.types.empty() || !train.label ? ColumnType{} : tables.types[*train.label];
  MASH_TRY(encode_label_columns(options, plans, label_type, tables.layout, dataset));
  if (train.label) dataset.label_name = tables.train.columns[*train.label];
  dataset.missing = options.missing;
  dataset.train.num_examples = tables.train.num_rows();
  dataset.test.num_examples = tables.test ? tables.test->num_rows() : 0;
  MASH_TRY(encode_columns(options, tables, plans, dataset));
  name_rows(0, dataset.train);
  name_rows(1, dataset.test);
  if (!train.label && !tables.test) std::swap(dataset.train, dataset.test);
  return dataset;
}

}  // namespace mash
