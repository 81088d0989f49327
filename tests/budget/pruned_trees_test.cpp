// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/pruned_trees.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "tests/budget/small_models.hpp"
#include "tests/budget/small_tables.hpp"

namespace mash {
namespace {

using testing::make_costs;
using testing::one_family;
using testing::Table;
using Limit = PrunedTrees::Limit;

PrunedTrees prune(const Table& table, const FeatureCosts& costs) { return {*grow_tree(table.data()), costs}; }

// Eight examples, five of class 0. All are asked feature 0, four of them feature 1, and two of these feature
// 0 again.
DecisionTree worked_tree() {
  return {{0, 10, 1, 2, 8, 3, 0}, {0, 0, 0, 0, 4, 0, 0}, {1, 1, 3, 4, 4, 1, 1}, {0, 0, 0, 0, 2, 0, 1},
          {0, 20, 5, 6, 2, 1, 0}, {0, 0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0, 1}};
}

TEST(PrunedTrees, WorkedNumbers) {
  const FeatureCosts costs = make_costs({{"a", {1}, 8}, {"b", {2}, 16}});
  const PrunedTrees trees(worked_tree(), costs);
  ASSERT_EQ(trees.all().size(), 3u);
  // g is 1/1 at node 4, 1/2 at node 2 and 3/3 at the root, divided by 8: node 2 goes first.
  EXPECT_EQ(trees.all()[0].num_leaves, 4u);
  EXPECT_EQ(trees.all()[0].num_wrong, 0u);
  EXPECT_EQ(trees.all()[0].complexity, 0);
  EXPECT_EQ(trees.all()[0].expected_cost, 9 + 18 / 2.0);
  EXPECT_EQ(trees.all()[0].largest_cost, 27) << "feature 0 is paid for once";
  EXPECT_EQ(trees.all()[1].num_leaves, 2u);
  EXPECT_EQ(trees.all()[1].num_wrong, 1u);
  EXPECT_EQ(trees.all()[1].complexity, .5 / 8);
  EXPECT_EQ(trees.all()[1].expected_cost, 9);
  EXPECT_EQ(trees.all()[1].largest_cost, 9);
  EXPECT_EQ(trees.all()[2].num_leaves, 1u);
  EXPECT_EQ(trees.all()[2].num_wrong, 3u);
  EXPECT_EQ(trees.all()[2].complexity, 2.0 / 8);
  EXPECT_EQ(trees.all()[2].expected_cost, 0);
  EXPECT_EQ(trees.all()[2].largest_cost, 0);

  EXPECT_EQ(trees.largest_within(18, Limit::kExpected), 0u);
  EXPECT_EQ(trees.largest_within(18, Limit::kLargest), 1u);
  EXPECT_EQ(trees.largest_within(27, Limit::kLargest), 0u);
  EXPECT_EQ(trees.largest_within(9, Limit::kExpected), 1u);
  EXPECT_EQ(trees.largest_within(8.9, Limit::kExpected), 2u);
  EXPECT_EQ(trees.largest_within(0, Limit::kLargest), 2u);
  EXPECT_EQ(trees.largest_within(Purchases::kUnlimited, Limit::kExpected), 0u);
}

TEST(PrunedTrees, ClassifiesByThePathAlone) {
  const FeatureCosts costs = make_costs({{"a", {1}, 8}, {"b", {2}, 16}});
  const PrunedTrees trees(worked_tree(), costs);
  const auto example = [](float x0, float x1) {
    return [=](std::uint32_t feature) { return feature == 0 ? x0 : x1; };
  };
  EXPECT_EQ(trees.predict(0, example(0, 0)), (PaidPrediction{0, 1, 9}));
  EXPECT_EQ(trees.predict(0, example(10, 0)), (PaidPrediction{1, 2, 27}));
  EXPECT_EQ(trees.predict(0, example(10, 1)), (PaidPrediction{0, 3, 27}));
  EXPECT_EQ(trees.predict(0, example(20, 1)), (PaidPrediction{1, 3, 27}));
  EXPECT_EQ(trees.predict(1, example(10, 1)), (PaidPrediction{1, 1, 9}));
  EXPECT_EQ(trees.predict(2, example(10, 1)), (PaidPrediction{0, 0, 0}));
}

TEST(PrunedTrees, SingleLeafCostsNothing) {
  const FeatureCosts costs = one_family({1});
  const PrunedTrees trees = prune({{1, 2}, {1, 1}, 2}, costs);
  ASSERT_EQ(trees.all().size(), 1u);
  EXPECT_EQ(trees.all()[0].expected_cost, 0);
  EXPECT_EQ(trees.all()[0].num_leaves, 1u);
  EXPECT_EQ(trees.largest_within(0, Limit::kExpected), 0u);
}

TEST(PrunedTrees, QuestionsThatGainNothingGoFirst) {
  // The last question tells apart two leaves of one class.
  const DecisionTree tree{{0, 1, 1, 2, 4, 2, 0},
                          {0, 0, 0, 0, 2, 0, 0},
                          {1, 1, 3, 4, 2, 0, 1},
                          {0, 0, 0, 0, 1, 0, 1},
                          {0, 0, 0, 0, 1, 0, 1}};
  const FeatureCosts costs = one_family({1, 1});
  const PrunedTrees trees(tree, costs);
  ASSERT_EQ(trees.all().size(), 3u);
  EXPECT_EQ(trees.all()[1].num_leaves, 2u);
  EXPECT_EQ(trees.all()[1].num_wrong, 0u);
  EXPECT_EQ(trees.all()[1].complexity, 0);
}

TEST(PrunedTrees, RefusesWhatIsNotThere) {
  const FeatureCosts costs = one_family({1, 1});
  EXPECT_THROW(PrunedTrees({}, costs), std::logic_error);
  const PrunedTrees trees = prune({{1, 2}, {0, 1}, 2}, costs);
  EXPECT_THROW((void)trees.largest_within(-1, Limit::kExpected), std::logic_error);
  EXPECT_THROW((void)trees.predict(2, [](std::uint32_t) { return 0; }), std::logic_error);
  const FeatureCosts none = one_family({});
  EXPECT_THROW(PrunedTrees(*grow_tree({std::vector<float>{1, 2}, std::vector<std::uint16_t>{0, 1}, 2}), none),
               std::logic_error)
      << "a feature without a cost";
}

// The least of wrong + price * leaves over all ways to prune below a node.
double least_price(const DecisionTree& tree, std::uint32_t node, double price) {
  const double as_leaf = tree[node].num_wrong + price;
  if (tree[node].is_leaf()) return as_leaf;
  return std::min(as_leaf,
                  least_price(tree, tree[node].below, price) + least_price(tree, tree[node].above, price));
}

RC_GTEST_PROP(PrunedTrees, AreNestedAndTheBestAtTheirPrice, (std::uint64_t seed)) {
  const Table table = testing::random_table(seed);
  const TreeData data = table.data();
  RandomStream stream(seed, "test.costs");
  FamilyCosts family = equal_costs("f", std::uint32_t(data.num_features()), 0);
  for (double& cost : family.features) cost = stream.uniform(0, 2);
  family.setup = stream.uniform(0, 2);
  const FeatureCosts costs = make_costs({family});
  const DecisionTree tree = *grow_tree(data);
  const PrunedTrees trees(tree, costs);
  const double num_examples = double(data.num_examples());
  RC_ASSERT(trees.all().back().num_leaves == 1);
  RC_ASSERT(trees.all().back().largest_cost == 0);
  RC_ASSERT(2 * trees.all().front().num_leaves - 1 == tree.size());
  for (std::size_t i = 0; i < trees.all().size(); ++i) {
    const PrunedTree& pruned = trees.all()[i];
    const double price = pruned.complexity * num_examples;
    RC_ASSERT(std::abs(pruned.num_wrong + price * pruned.num_leaves - least_price(tree, 0, price)) < 1e-9);
    // Every training example: its class, what it looked at, what that cost.
    std::uint32_t num_wrong = 0;
    double sum = 0, largest = 0;
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      std::set<std::uint32_t> asked;
      const auto prediction = trees.predict(i, [&](std::uint32_t feature) {
        asked.insert(feature);
        return data.value(feature, n);
      });
      double cost = asked.empty() ? 0 : family.setup;
      for (const std::uint32_t feature : asked) cost += family.features[feature];
      RC_ASSERT(std::abs(prediction.spent - cost) < 1e-12);
      num_wrong += prediction.predicted_class != data.labels[n];
      sum += cost;
      largest = std::max(largest, cost);
      if (i > 0)
        RC_ASSERT(prediction.num_evaluated <=
                  trees.predict(i - 1, [&](auto j) { return data.value(j, n); }).num_evaluated);
    }
    RC_ASSERT(num_wrong == pruned.num_wrong);
    RC_ASSERT(std::abs(sum / num_examples - pruned.expected_cost) < 1e-9);
    RC_ASSERT(std::abs(largest - pruned.largest_cost) < 1e-12);
    if (i == 0) continue;
    const PrunedTree& before = trees.all()[i - 1];
    RC_ASSERT(pruned.num_leaves < before.num_leaves);
    RC_ASSERT(pruned.num_wrong >= before.num_wrong);
    RC_ASSERT(pruned.complexity >= before.complexity);
    RC_ASSERT(pruned.expected_cost <= before.expected_cost + 1e-12);
    RC_ASSERT(pruned.largest_cost <= before.largest_cost + 1e-12);
  }
}

RC_GTEST_PROP(PrunedTrees, LargestWithinIsTheFirstThatFits, (std::uint64_t seed)) {
  const Table table = testing::random_table(seed);
  RandomStream stream(seed, "test.costs");
  const FeatureCosts costs =
      make_costs({random_costs("f", std::uint32_t(table.data().num_features()), stream.next_u64())});
  const PrunedTrees trees = prune(table, costs);
  const double budget = stream.uniform(0, 4);
  for (const Limit limit : {Limit::kExpected, Limit::kLargest}) {
    const auto cost = [&](std::size_t i) {
      return limit == Limit::kExpected ? trees.all()[i].expected_cost : trees.all()[i].largest_cost;
    };
    const std::size_t found = trees.largest_within(budget, limit);
    RC_ASSERT(found < trees.all().size());
    RC_ASSERT(cost(found) <= budget);
    const bool is_first = found == 0 || cost(found - 1) > budget;  // RC_ASSERT would look at both sides of ||
    RC_ASSERT(is_first);
  }
}

}  // namespace
}  // namespace mash
