// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// The examples that a decision tree is grown from.
struct TreeData {
  std::span<const float> values;          // num_features x num_examples: a row for each feature
  std::span<const std::uint16_t> labels;  // of each example, below num_classes
  std::size_t num_classes = 0;

  std::size_t num_examples() const { return labels.size(); }
  std::size_t num_features() const { return labels.empty() ? 0 : values.size() / labels.size(); }
  float value(std::size_t feature, std::size_t example) const {
    return values[feature * num_examples() + example];
  }
};

// A question to one feature, whether x >= threshold, or a leaf. It keeps what it would say as a leaf.
struct TreeNode {
  std::uint32_t feature = 0;
  float threshold = 0;
  std::uint32_t below = 0, above = 0;  // the nodes that its answers lead to; 0: it is a leaf
  std::uint32_t num_examples = 0;      // of the training examples that reach it
  std::uint32_t num_wrong = 0;         // of these, those of another class than the commonest
  std::uint16_t predicted_class = 0;   // the commonest, of equals the lowest

  bool is_leaf() const { return below == 0; }
  std::uint32_t next(float x) const { return x >= threshold ? above : below; }
};

// The root first, children after parents.
using DecisionTree = std::vector<TreeNode>;

// CART (Breiman, Friedman, Olshen & Stone 1984) with the Gini index: each node asks the question that leaves
// the least impurity, with the threshold midway between two neighbouring values; of equals that of the lowest
// feature, then the lowest threshold. It is grown until all examples of a leaf have one class, or the same
// values of all features. The features are sorted once: a level takes about features x examples steps.
// Errors (kInput): no example; a label that is no class; a value that is not finite. REQUIRES: as many values
// for each feature as labels.
Result<DecisionTree> grow_tree(const TreeData& data);

}  // namespace mash
