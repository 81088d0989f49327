// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "classifiers/budget/decision_tree.hpp"
#include "framework/base/random.hpp"

namespace mash::testing {

// Data that TreeData shows.
struct Table {
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  std::size_t num_classes = 0;

  TreeData data() const { return {values, labels, num_classes}; }
};

// Up to 24 examples of up to 4 features with few values, of 2 or 3 classes.
inline Table random_table(std::uint64_t seed) {
  RandomStream stream(seed, "test.table");
  Table table;
  table.num_classes = 2 + stream.below(2);
  table.labels.resize(1 + stream.below(24));
  for (auto& label : table.labels) label = std::uint16_t(stream.below(table.num_classes));
  const std::uint64_t num_values = 2 + stream.below(8);
  table.values.resize(table.labels.size() * (1 + stream.below(4)));
  for (float& value : table.values) value = float(stream.below(num_values));
  return table;
}

}  // namespace mash::testing
