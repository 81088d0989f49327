// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/table_layout.hpp"

namespace mash {

// A family as the model knows it, with enough to find the plugin on another machine.
struct ModelFamily {
  std::string name;            // as in the experiment
  std::string heuristic;       // id
  std::string version;         // of the heuristic; another one may compute other features
  std::vector<double> values;  // of its parameters, in declared order
  std::uint32_t dim = 0;
  bool operator==(const ModelFamily&) const = default;
};

// Checks that the family that was found has as many features as the model's family. Errors (kInput): it has
// not.
Status check_dim(const ModelFamily& family, std::uint32_t found);

// The part that models of all kinds have: classes and inputs.
struct ModelHead {
  std::vector<std::string> class_names;   // K
  ImageShape shape;                       // of the images it was trained on; 0 x 0 for tables
  std::vector<std::string> column_names;  // of tables
  std::vector<ModelFamily> families;
  // Names behind the codes of each column of a table, and the name of its column of labels. Model files
  // before version 5 do not have them.
  std::optional<CategoryNames> category_names = {};
  std::string label_name = {};

  std::size_t num_classes() const { return class_names.size(); }
  // The columns that a table must have to be predicted.
  TableLayout layout() const { return {column_names, category_names, label_name}; }
  bool operator==(const ModelHead&) const = default;
};

}  // namespace mash
