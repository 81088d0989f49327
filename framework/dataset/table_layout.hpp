// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// The columns that a model was trained on. A table that is read for the model gets these columns, in this
// order and with these codes: they are found by name; others are passed over.
struct TableLayout {
  std::vector<std::string> names;
  std::optional<CategoryNames> categories;    // of each column; nothing where it is not known
  std::string label = {};                     // the name of the column of labels; empty where it is not known
  std::vector<std::string> missing = {};      // the fields that stand for a missing value
  std::vector<std::string> class_names = {};  // of the model

  bool has(std::string_view name) const;
  // Whether the names are only those of places, as in a table without a header.
  bool has_only_places() const;
};

// "found no column 'x', which the model was trained on; found a, b, c"
Error lacks_column(std::string_view wanted, const std::vector<std::string>& found);

// Checks that a table of numbers has the layout. Errors (kInput): it has not.
Status check_layout(const TableLayout& layout, const Dataset& dataset);

}  // namespace mash
