// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "classifiers/budget/decision_tree.hpp"
#include "classifiers/budget/paid_prediction.hpp"

namespace mash {

// A tree that is left when some nodes are made leaves.
struct PrunedTree {
  double complexity = 0;  // the price per leaf from which on it is better than those before it
  std::uint32_t num_leaves = 0;
  std::uint32_t num_wrong = 0;  // of the training examples
  double expected_cost = 0;     // of a training example: for the features and families on its path
  double largest_cost = 0;      // of any path
};

// The trees of cost-complexity pruning (Breiman et al. 1984, section 3.3), from the whole tree to its root:
// each makes leaves of those nodes of the one before with the least
//
//   g = (wrong as a leaf - wrong with its subtree) / (examples * (leaves of its subtree - 1))
//
// and their costs: an example pays once for each feature and each family that its path asks.
class PrunedTrees {
 public:
  // Which cost a budget is compared with.
  enum class Limit {
    kExpected,  // what a training example costs on average
    kLargest,   // what any example may cost; no command asks for it
  };

  // REQUIRES: the tree's features are numbered as those of the costs.
  PrunedTrees(DecisionTree tree, const FeatureCosts& costs);

  // Nested, the last one a single leaf, which costs nothing.
  const std::vector<PrunedTree>& all() const { return trees_; }

  // The index of the largest tree within the budget. REQUIRES: budget >= 0.
  std::size_t largest_within(double budget, Limit limit) const;

  // value: of a feature of the example; asked for those on its path alone, once for each question.
  // REQUIRES: tree < all().size().
  PaidPrediction predict(std::size_t tree, const std::function<float(std::uint32_t feature)>& value) const;

 private:
  void find_path_costs(const FeatureCosts& costs);
  void prune();
  // Whether it is a leaf of this tree, or one that is pruned away.
  bool ends_at(std::uint32_t node, std::size_t tree) const {
    return nodes_[node].is_leaf() || leaf_from_[node] <= tree;
  }

  DecisionTree nodes_;
  std::vector<double> path_costs_;      // of each node: what has been paid on the way to it
  std::vector<std::size_t> leaf_from_;  // of each node: the first tree in which it is a leaf
  std::vector<PrunedTree> trees_;
};

}  // namespace mash
