// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/decision_tree.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "tests/budget/small_tables.hpp"

namespace mash {
namespace {

using testing::Table;

DecisionTree grow(const Table& table) { return *grow_tree(table.data()); }

TEST(DecisionTree, WorkedExample) {
  // Feature 1 separates class 2; feature 0 the other two.
  const Table table{{1, 2, 5, 6, 1, 6,  //
                     0, 0, 0, 0, 8, 8},
                    {0, 0, 1, 1, 2, 2},
                    3};
  const DecisionTree tree = grow(table);
  ASSERT_EQ(tree.size(), 5u);
  EXPECT_EQ(tree[0].feature, 1u);
  EXPECT_EQ(tree[0].threshold, 4);
  EXPECT_EQ(tree[0].num_examples, 6u);
  EXPECT_EQ(tree[0].num_wrong, 4u);
  EXPECT_EQ(tree[0].predicted_class, 0);
  const TreeNode& below = tree[tree[0].below];
  EXPECT_EQ(below.feature, 0u);
  EXPECT_EQ(below.threshold, 3.5f);
  EXPECT_EQ(below.num_wrong, 2u);
  EXPECT_TRUE(tree[tree[0].above].is_leaf());
  EXPECT_EQ(tree[tree[0].above].predicted_class, 2);
  EXPECT_EQ(tree[below.below].predicted_class, 0);
  EXPECT_EQ(tree[below.above].predicted_class, 1);
}

TEST(DecisionTree, OneClassIsALeaf) {
  EXPECT_EQ(grow({{1, 2, 3}, {1, 1, 1}, 2}).size(), 1u);
  EXPECT_EQ(grow({{1}, {0}, 1}).size(), 1u);
}

TEST(DecisionTree, ExamplesThatNothingTellsApartStayTogether) {
  const DecisionTree tree = grow({{3, 3, 3, 7, 7, 7}, {0, 1, 1}, 2});
  ASSERT_EQ(tree.size(), 1u);
  EXPECT_EQ(tree[0].predicted_class, 1);
  EXPECT_EQ(tree[0].num_wrong, 1u);
  EXPECT_EQ(grow({{}, {0, 1}, 2}).size(), 1u) << "no features";
}

TEST(DecisionTree, GoesOnWhereOneQuestionAloneGainsNothing) {
  const Table exclusive_or{{0, 0, 1, 1, 0, 1, 0, 1}, {0, 1, 1, 0}, 2};
  const DecisionTree tree = grow(exclusive_or);
  EXPECT_EQ(tree.size(), 7u);
  for (const TreeNode& node : tree) EXPECT_TRUE(!node.is_leaf() || node.num_wrong == 0);
}

TEST(DecisionTree, ThresholdsLieBetweenNeighbours) {
  const auto threshold = [](float low, float high) { return grow({{low, high}, {0, 1}, 2})[0].threshold; };
  EXPECT_EQ(threshold(1, 2), 1.5f);
  EXPECT_EQ(threshold(1, std::nextafter(1.0f, 2.0f)), std::nextafter(1.0f, 2.0f));
  const float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(threshold(-largest, largest), 0);
  EXPECT_EQ(threshold(largest / 2, largest), largest * .75f);
  EXPECT_GT(threshold(0, std::numeric_limits<float>::denorm_min()), 0);
}

TEST(DecisionTree, OfEqualQuestionsTheLowestFeatureThenTheLowestThreshold) {
  EXPECT_EQ(grow({{5, 1, 5, 1, 1, 5}, {0, 1, 0}, 2})[0].feature, 0u);
  EXPECT_EQ(grow({{1, 2, 3}, {0, 1, 0}, 2})[0].threshold, 1.5f);
}

TEST(DecisionTree, RefusesWhatItCannotLearnFrom) {
  const auto refusal = [](const Table& table) {
    const auto tree = grow_tree(table.data());
    return tree.ok() ? "accepted" : tree.error().message;
  };
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(refusal({{}, {}, 2}), "decision tree: found no examples, expected at least one");
  EXPECT_EQ(refusal({{1, 2}, {0, 2}, 2}),
            "decision tree: found class 2 of example 1, expected one of 2 classes");
  EXPECT_EQ(refusal({{1, 2, 3, nan}, {0, 1}, 2}),
            "decision tree: found nan as feature 1 of example 1, expected a finite number");
  EXPECT_EQ(refusal({{infinity, 2}, {0, 1}, 2}),
            "decision tree: found inf as feature 0 of example 0, expected a finite number");
  EXPECT_THROW((void)grow_tree(Table{{1, 2, 3}, {0, 1}, 2}.data()), std::logic_error);
}

double gini_times_size(const std::map<std::uint16_t, double>& counts) {
  double total = 0, squares = 0;
  for (const auto& [label, count] : counts) total += count;
  for (const auto& [label, count] : counts) squares += count * count;
  return total > 0 ? total - squares / total : 0;
}

// Every node's question is the best of all, by trying all of them.
RC_GTEST_PROP(DecisionTree, AsksTheQuestionThatLeavesTheLeastImpurity, (std::uint64_t seed)) {
  const Table table = testing::random_table(seed);
  const TreeData data = table.data();
  const DecisionTree tree = grow(table);
  std::vector<std::vector<std::size_t>> reaching(tree.size());
  for (std::size_t n = 0; n < data.num_examples(); ++n) reaching[0].push_back(n);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto impurity = [&](std::size_t feature, float threshold) {
      std::map<std::uint16_t, double> below, above;
      for (const std::size_t n : reaching[i])
        ++(data.value(feature, n) >= threshold ? above : below)[data.labels[n]];
      return below.empty() || above.empty() ? std::numeric_limits<double>::infinity()
                                            : gini_times_size(below) + gini_times_size(above);
    };
    std::map<std::uint16_t, std::uint32_t> counts;
    for (const std::size_t n : reaching[i]) ++counts[data.labels[n]];
    RC_ASSERT(tree[i].num_examples == reaching[i].size());
    RC_ASSERT(tree[i].num_wrong == reaching[i].size() - counts[tree[i].predicted_class]);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < data.num_features(); ++j)
      for (const std::size_t n : reaching[i]) least = std::min(least, impurity(j, data.value(j, n)));
    if (tree[i].is_leaf()) {
      RC_ASSERT(counts.size() == 1 || std::isinf(least));
      continue;
    }
    RC_ASSERT(impurity(tree[i].feature, tree[i].threshold) < least + 1e-9);
    for (const std::size_t n : reaching[i])
      reaching[tree[i].next(data.value(tree[i].feature, n))].push_back(n);
  }
}

}  // namespace
}  // namespace mash
