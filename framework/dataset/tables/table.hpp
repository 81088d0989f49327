// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/table_layout.hpp"
#include "framework/dataset/text_table.hpp"

namespace mash {

// The keys that csv and arff share. Columns are given by name or by index, counted from 0, from the end when
// negative.
struct TableOptions {
  std::optional<std::string> label;  // last, first, or a column; nothing: last, or that of the layout
  std::string label_strip;           // characters taken off the ends of labels
  std::vector<std::string> ignore;   // columns
  std::vector<std::string> nominal;  // columns whose fields are names even where they look like numbers
  std::vector<std::string> missing;  // the fields that stand for a missing value, beside empty ones
  bool has_decimal_comma = false;    // 1,5 for 1.5

  bool is_missing(std::string_view cell) const;
  // The number that a field is, or nothing.
  std::optional<double> number_in(std::string_view cell) const;
};

// Reads label, label_strip, ignore, nominal and missing; lists are parted by commas.
Result<TableOptions> read_table_options(Settings& settings);

// The type of a column, as far as a format tells.
struct ColumnType {
  enum class Kind { kGuess, kNumeric, kNominal, kUnusable } kind = Kind::kGuess;
  std::vector<std::string> values;  // of a nominal column, in their declared order
};

// One or two files of text that become a data set.
struct TextTables {
  const TextTable& train;
  const TextTable* test = nullptr;         // its columns are found by the names of those of `train`
  std::span<const ColumnType> types = {};  // of the columns of `train`, or none
  const TableLayout* layout = nullptr;     // of the model that the table is read for; else null
};

// Turns text into a data set: the label column into classes, every other column into numbers.
//
//   numbers   a column all of whose present fields are numbers; NaN where a field is missing
//   names     a column none of whose present fields is a number, or that `nominal` lists: the index of the
//             name among those of the training file, in byte order, or among the declared ones in their
//             order; NaN where a test file has a name of its own
//   labels    numbers (so that 6, 6. and 6.0000 are one class) in their order, or names in byte order
//
// With a layout, the columns, their kinds and their codes are those of the layout, a name that it does not
// know is missing, and a file without the label column has no labels; all its rows are the test side.
// Warnings of the data set say what was passed over, what is missing and which columns of names may be none.
// Errors: kInput naming file, line and column: a column of both numbers and names, a name that is not
// declared, a field "?" that is not among `missing`, a missing label, labels that are no whole numbers, and
// columns that do not exist.
Result<Dataset> encode_table(const TableOptions& options, const TextTables& tables);

}  // namespace mash
