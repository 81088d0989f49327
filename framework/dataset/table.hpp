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
#include "framework/dataset/text_table.hpp"

namespace mash {

// The keys that csv and arff share. Columns are given by name or by index, counted from 0, from the end when
// negative.
struct TableOptions {
  std::string label = "last";        // or first, or a column
  std::string label_strip;           // characters taken off the ends of labels
  std::vector<std::string> ignore;   // columns
  std::vector<std::string> nominal;  // columns whose fields are names even where they look like numbers
  std::vector<std::string> missing;  // the fields that stand for a missing value
};

// Reads label, label_strip, ignore, nominal and missing; lists are parted by commas.
Result<TableOptions> read_table_options(Settings& settings);

// The type of a column, as far as a format tells.
struct ColumnType {
  enum class Kind { kGuess, kNumeric, kNominal, kUnusable } kind = Kind::kGuess;
  std::vector<std::string> values;  // of a nominal column, in their declared order
};

// Turns text into a data set: the label column into classes, every other column into numbers.
//
//   numbers   a column all of whose present fields are numbers; NaN where a field is one of `missing`
//   names     a column none of whose present fields is a number, or that `nominal` lists: the index of the
//             name among those of both files, in byte order, or among the declared ones in their order
//   labels    numbers (so that 6, 6. and 6.0000 are one class) in their order, or names in byte order
// test: null where there is no test file. types: empty, or one per column.
// Errors: kInput naming file, line and column: a column of both numbers and names, a name that is not
// declared, a field that is empty or "?" though it is not among `missing`, a missing label, and columns that
// do not exist.
Result<Dataset> encode_table(const TableOptions& options, const TextTable& train, const TextTable* test,
                             std::span<const ColumnType> types = {});

// Labels as text to class names and indices, for encode_table and for libsvm. REQUIRES: no text is empty.
// Errors: more than 65535 classes, without a place.
struct EncodedLabels {
  std::vector<std::string> class_names;
  std::vector<std::uint16_t> labels;  // of all the texts, in their order
};
Result<EncodedLabels> encode_labels(std::span<const std::string_view> texts);

// Divides what encode_labels gives between the two sides: the first `num_train` labels and the rest.
void set_labels(EncodedLabels labels, std::size_t num_train, Dataset& dataset);

}  // namespace mash
