// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/tree.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/weak/weak_world.hpp"

namespace mash {
namespace {

using testing::SettingList;
using testing::WeakWorld;

SettingList leaves(int count, const char* votes = "free") {
  return {{"leaves", std::to_string(count)}, {"votes", votes}};
}

std::vector<float> thresholds(const Hypothesis& hypothesis) {
  std::vector<float> list;
  for (const Cut& cut : hypothesis.cuts) list.push_back(cut.threshold);
  return list;
}

TEST(Tree, ThreeClassesTakeTwoCuts) {
  WeakWorld steps(testing::three_steps(), InitialWeights::kBalanced);
  const WeakHypothesis two = steps.learn("tree", leaves(2)), three = steps.learn("tree", leaves(3));
  EXPECT_NEAR(two.edge, 2.0 / 3, 1e-12);
  EXPECT_THAT(thresholds(two.model), ::testing::ElementsAre(2.5f));
  EXPECT_NEAR(three.edge, 1, 1e-12);
  EXPECT_THAT(thresholds(three.model), ::testing::ElementsAre(2.5f, 4.5f));
  EXPECT_THAT(three.cells, ::testing::ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(three.votes, ::testing::ElementsAre(1, -1, -1, -1, 1, -1, -1, -1, 1));
}

TEST(Tree, FactorisedVotesAreRepairedByAConstant) {
  WeakWorld steps(testing::three_steps(), InitialWeights::kBalanced);
  EXPECT_NEAR(steps.learn("tree", leaves(2, "factorised")).edge, 2.0 / 3, 1e-12);
  // The second cut gives 5/6, because one of its leaves must vote the opposite of the other; the constant of
  // that leaf sets it right, and needs no further leaf.
  const WeakHypothesis tree = steps.learn("tree", leaves(3, "factorised"));
  EXPECT_THAT(thresholds(tree.model), ::testing::ElementsAre(2.5f, 4.5f));
  EXPECT_NEAR(tree.edge, 1, 1e-12);
}

TEST(Tree, SolvesXorThatNoStumpCan) {
  WeakWorld corners(testing::xor_table(), {.4, .2, .25, .15});
  EXPECT_NEAR(corners.learn("stump", {}).edge, 0.3, 1e-12);
  EXPECT_NEAR(corners.learn("tree", leaves(2)).edge, 0.3, 1e-12);
  EXPECT_NEAR(corners.learn("tree", leaves(3)).edge, 0.7, 1e-12) << "the left leaf gains 0.4";
  const WeakHypothesis tree = corners.learn("tree", leaves(4));
  EXPECT_NEAR(tree.edge, 1, 1e-12) << "the right leaf gains 0.3";
  EXPECT_EQ(tree.model.cuts[0].feature_idx, 0u);
}

TEST(Tree, StaysConstantWhereNoCutBeatsIt) {
  WeakWorld corners(testing::xor_table(), {.4, .2, .2, .2});
  for (const char* votes : {"free", "factorised"}) {
    const WeakHypothesis tree = corners.learn("tree", leaves(4, votes));
    EXPECT_NEAR(tree.edge, 0.2, 1e-12);
    EXPECT_TRUE(tree.model.is_constant());
    EXPECT_THAT(tree.cells, ::testing::Each(1));
  }
}

TEST(Tree, OfOneLeafIsTheConstantLearner) {
  WeakWorld steps(testing::three_steps(), InitialWeights::kUniform);
  const WeakHypothesis tree = steps.learn("tree", leaves(1));
  EXPECT_TRUE(tree.model.is_constant());
  EXPECT_NEAR(tree.edge, 1.0 / 3, 1e-12);
}

// The greedy tree of algorithms' definition, by trying every cut of every leaf.
class ReferenceTree {
 public:
  ReferenceTree(const WeakWorld& small, std::size_t num_leaves) : small_(small) {
    std::vector<std::size_t> all(small.weights.num_examples());
    std::iota(all.begin(), all.end(), 0u);
    leaves_ = {all};
    while (leaves_.size() < num_leaves && split()) {
    }
  }
  double edge() const {
    double sum = 0;
    for (const auto& leaf : leaves_) sum += size_of(totals(leaf));
    return sum;
  }

 private:
  std::vector<double> totals(const std::vector<std::size_t>& leaf) const {
    std::vector<double> sums(small_.weights.num_classes());
    for (const std::size_t n : leaf)
      for (std::size_t l = 0; l < sums.size(); ++l) sums[l] += small_.weights.row(n)[l];
    return sums;
  }
  static double size_of(const std::vector<double>& sums) {
    double size = 0;
    for (const double sum : sums) size += std::abs(sum);
    return size;
  }
  double value(std::size_t n, std::size_t j) const {
    return small_.world.dataset.train.values[n * small_.world.dataset.column_names.size() + j];
  }

  struct Parts {
    double edge = 0;  // of the stump
    std::vector<std::size_t> below, above;
  };
  // The best stump by its own edge; none where the constant is at least as good.
  Parts best_parts(const std::vector<std::size_t>& leaf) const {
    Parts best;
    best.edge = size_of(totals(leaf)) * (1 + 1e-12);
    for (std::size_t j = 0; j < small_.world.dataset.column_names.size(); ++j)
      for (const std::size_t at : leaf) {
        Parts parts;
        for (const std::size_t n : leaf)
          (value(n, j) >= value(at, j) ? parts.above : parts.below).push_back(n);
        std::vector<double> edges = totals(parts.above), below = totals(parts.below);
        for (std::size_t l = 0; l < edges.size(); ++l) edges[l] -= below[l];
        parts.edge = size_of(edges);
        if (parts.edge > best.edge * (1 + 1e-12)) best = parts;
      }
    return best;
  }
  bool split() {
    double best_gain = 1e-12;
    std::size_t best_leaf = leaves_.size();
    Parts best;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const Parts parts = best_parts(leaves_[i]);
      if (parts.above.empty()) continue;
      const double gain =
          size_of(totals(parts.above)) + size_of(totals(parts.below)) - size_of(totals(leaves_[i]));
      if (gain <= best_gain) continue;
      best_gain = gain;
      best_leaf = i;
      best = parts;
    }
    if (best_leaf == leaves_.size()) return false;
    leaves_[best_leaf] = best.below;
    leaves_.push_back(best.above);
    return true;
  }

  const WeakWorld& small_;
  std::vector<std::vector<std::size_t>> leaves_;
};

RC_GTEST_PROP(Tree, IsTheGreedyTreeOfTheDefinition, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.tree");
  WeakWorld small(
      testing::learnable_table(20 + stream.below(40), 1 + stream.below(5), 1 + stream.below(4), seed),
      InitialWeights::kUniform);
  testing::spread(small, seed);
  const std::size_t num_leaves = 1 + stream.below(9);
  const double expected = ReferenceTree(small, num_leaves).edge();
  RC_ASSERT(std::abs(small.learn("tree", leaves(int(num_leaves))).edge - expected) < 1e-9);
}

class TreeVotes : public ::testing::TestWithParam<const char*> {
 protected:
  WeakWorld small{testing::learnable_table(300, 7, 4, 3), InitialWeights::kBalanced};
};

TEST_P(TreeVotes, EdgeIsThatOfTheTreeOnRawValuesAndGrowsWithItsLeaves) {
  testing::spread(small, 3);
  double before = 0;
  for (int num_leaves = 1; num_leaves <= 40; ++num_leaves) {
    const WeakHypothesis tree = small.learn("tree", leaves(num_leaves, GetParam()));
    EXPECT_NEAR(tree.edge, small.edge_of(tree.model), 1e-12);
    EXPECT_GE(tree.edge, before - 1e-12);
    EXPECT_LE(tree.model.branches.size() + 1, std::size_t(num_leaves));
    EXPECT_EQ(tree.votes, cell_votes(tree.model));
    EXPECT_EQ(tree.cells, cells_of(tree.model, small.scan, Side::kTrain));
    before = tree.edge;
  }
}

TEST_P(TreeVotes, ModelFileTakesIt) {
  StrongClassifier model;
  model.class_names = small.world.dataset.class_names;
  model.column_names = small.world.dataset.column_names;
  model.families = {{"columns", "columns", "1.0.0", {}, 7}};
  model.hypotheses = {small.learn("tree", leaves(25, GetParam())).model};
  const auto parsed = parse_model(serialise(model));
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(*parsed, model);
}

INSTANTIATE_TEST_SUITE_P(Both, TreeVotes, ::testing::Values("free", "factorised"));

TEST(Tree, EvaluatesEachExampleOncePerLevel) {
  WeakWorld small(testing::learnable_table(400, 6, 3, 5), InitialWeights::kBalanced);
  ASSERT_EQ(small.learn("tree", leaves(4)).model.cuts.size(), 3u);
  // The root, its two leaves, and those of the one that was split first; the last two are not looked at.
  EXPECT_GT(small.scan.meters().fe, 2u * 400 * 6);
  EXPECT_LE(small.scan.meters().fe, 3u * 400 * 6);
}

}  // namespace
}  // namespace mash
