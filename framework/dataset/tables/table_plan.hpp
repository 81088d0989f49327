// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/dataset/tables/table.hpp"

namespace mash {

// The places in a file of the columns that a data set has.
struct TablePlan {
  const TextTable* table = nullptr;
  std::vector<std::size_t> columns;  // those of the data set, in its order
  std::optional<std::size_t> label;  // nothing: the file has no labels
  std::vector<std::string> remarks;  // about columns that are passed over

  std::string_view cell(std::size_t row, std::size_t column) const {
    return table->cell(row, columns[column]);
  }
  std::string place(std::size_t row, std::size_t column) const { return table->place(row, columns[column]); }
};

// The columns of a table by their names.
class ColumnIndex {
 public:
  explicit ColumnIndex(const TextTable& table);
  std::optional<std::size_t> find(std::string_view name) const;
  // The column of that name or index. key: of the setting, for errors. Errors (kInput): there is none.
  Result<std::size_t> column(std::string_view wanted, std::string_view key) const;

 private:
  const TextTable& table_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

// The column that the key `label` names, the last one without it. Errors (kInput): there is none.
Result<std::size_t> label_column(const TableOptions& options, const TextTable& table);

// A file on its own: every column beside the label that is not ignored.
Result<TablePlan> plan_of(const TableOptions& options, const TextTable& table);
// A test file beside a training file: the same columns, by name.
Result<TablePlan> plan_like(const TablePlan& train, const TextTable& test);
// A file that is read for a model: the columns of the model, by name.
Result<TablePlan> plan_for(const TableLayout& layout, const TableOptions& options, const TextTable& table);

}  // namespace mash
