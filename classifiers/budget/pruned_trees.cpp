// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/pruned_trees.hpp"

#include <algorithm>
#include <limits>

#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
constexpr std::uint32_t kNoParent = std::numeric_limits<std::uint32_t>::max();

// The part of a tree below a node.
struct Branch {
  std::uint32_t num_leaves = 1, num_wrong = 0;
};

// How many more examples are wrong for each leaf that is pruned away; compared without rounding.
struct Rise {
  std::int64_t num_wrong = 1, num_leaves = 0;  // infinite

  bool operator<(const Rise& other) const {
    return num_wrong * other.num_leaves < other.num_wrong * num_leaves;
  }
};

std::vector<std::uint32_t> parents_of(const DecisionTree& nodes) {
  std::vector<std::uint32_t> parents(nodes.size(), kNoParent);
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (!nodes[i].is_leaf()) parents[nodes[i].below] = parents[nodes[i].above] = i;
  return parents;
}

}  // namespace

PrunedTrees::PrunedTrees(DecisionTree tree, const FeatureCosts& costs)
    : nodes_(std::move(tree)), leaf_from_(nodes_.size(), kNever) {
  require(!nodes_.empty(), "PrunedTrees: a root");
  find_path_costs(costs);
  prune();
}

void PrunedTrees::find_path_costs(const FeatureCosts& costs) {
  const std::vector<std::uint32_t> parents = parents_of(nodes_);
  path_costs_.resize(nodes_.size());
  for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
    const std::uint32_t asked = nodes_[parents[i]].feature, family = costs.family_of(asked);
    Price price = costs.price(asked);
    for (std::uint32_t before = parents[parents[i]]; before != kNoParent; before = parents[before]) {
      if (nodes_[before].feature == asked) price.features = 0;
      if (costs.family_of(nodes_[before].feature) == family) price.setups = 0;
    }
    path_costs_[i] = path_costs_[parents[i]] + price.total();
  }
}

void PrunedTrees::prune() {
  const double num_examples = nodes_[0].num_examples;
  double complexity = 0;
  for (std::size_t tree = 0;; ++tree) {
    std::vector<Branch> branches(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const TreeNode& node = nodes_[i];
      branches[i] = {1, node.num_wrong};
      if (ends_at(std::uint32_t(i), tree)) continue;
      const Branch &below = branches[node.below], &above = branches[node.above];
      branches[i] = {below.num_leaves + above.num_leaves, below.num_wrong + above.num_wrong};
    }
    PrunedTree& pruned = trees_.emplace_back();
    pruned = {complexity, branches[0].num_leaves, branches[0].num_wrong, 0, 0};

    std::vector<bool> is_reached(nodes_.size());
    is_reached[0] = true;
    std::vector<Rise> rises(nodes_.size());
    Rise least;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!is_reached[i]) continue;
      const TreeNode& node = nodes_[i];
      if (ends_at(i, tree)) {
        pruned.expected_cost += node.num_examples / num_examples * path_costs_[i];
        pruned.largest_cost = std::max(pruned.largest_cost, path_costs_[i]);
        continue;
      }
      is_reached[node.below] = is_reached[node.above] = true;
      rises[i] = {std::int64_t(node.num_wrong) - branches[i].num_wrong,
                  std::int64_t(branches[i].num_leaves) - 1};
      if (rises[i] < least) least = rises[i];
    }
    if (pruned.num_leaves == 1) return;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (rises[i].num_leaves > 0 && !(least < rises[i])) leaf_from_[i] = tree + 1;
    complexity = double(least.num_wrong) / double(least.num_leaves) / num_examples;
  }
}

std::size_t PrunedTrees::largest_within(double budget, Limit limit) const {
  require(budget >= 0, "PrunedTrees::largest_within: budget >= 0");
  const auto fits = [&](const PrunedTree& tree) {
    return is_within(limit == Limit::kExpected ? tree.expected_cost : tree.largest_cost, budget);
  };
  return std::size_t(std::find_if(trees_.begin(), trees_.end(), fits) - trees_.begin());
}

PaidPrediction PrunedTrees::predict(std::size_t tree,
                                    const std::function<float(std::uint32_t feature)>& value) const {
  require(tree < trees_.size(), "PrunedTrees::predict: one of its trees");
  std::uint32_t node = 0;
  PaidPrediction prediction;
  while (!ends_at(node, tree)) {
    node = nodes_[node].next(value(nodes_[node].feature));
    ++prediction.num_evaluated;
  }
  prediction.predicted_class = nodes_[node].predicted_class;
  prediction.spent = path_costs_[node];
  return prediction;
}

}  // namespace mash
