// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/grown_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "framework/base/progress.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

struct Sample {
  NumberRows rows;
  std::vector<std::uint16_t> labels;
  std::vector<double> weights;

  std::unique_ptr<GrownNode> tree(const GrowthOptions& options, int num_threads = 1) const {
    const Workers workers(num_threads);
    const StopFlag stop;
    const std::size_t num_classes = 1u + *std::max_element(labels.begin(), labels.end());
    auto grown =
        grow_c45({rows, labels, weights, num_classes}, options, {workers, no_progress(), no_remarks(), stop});
    if (!grown.ok()) throw std::runtime_error(grown.error().message);
    return *std::move(grown);
  }
};

// values: row by row.
Sample sample_of(std::vector<float> values, std::vector<std::uint16_t> labels) {
  Sample sample{{values.size() / labels.size(), {}, std::move(values)}, std::move(labels), {}};
  sample.weights.assign(sample.labels.size(), 1.0);
  return sample;
}

constexpr GrowthOptions kWhole{.confidence = 1};

std::size_t num_leaves(const GrownNode& node) {
  return node.is_leaf() ? 1 : num_leaves(*node.below) + num_leaves(*node.above);
}
std::string text_of(const GrownNode& node) {
  if (node.is_leaf()) return ".";
  return fmt::format("({}>={} {}{})", node.column, node.threshold, text_of(*node.below),
                     text_of(*node.above));
}

// The upper limits of Quinlan's example (1993, section 4.2) and others.
TEST(C45, ExpectsErrorsByTheBinomialLimit) {
  EXPECT_NEAR(expected_errors(0, 6, 0.25) / 6, 0.206299, 5e-7);
  EXPECT_NEAR(expected_errors(0, 9, 0.25) / 9, 0.142756, 5e-7);
  EXPECT_NEAR(expected_errors(0, 1, 0.25), 0.75, 5e-7);
  EXPECT_NEAR(expected_errors(1, 16, 0.25) / 16, 0.159611, 5e-7);
  EXPECT_NEAR(expected_errors(2, 6, 0.25) / 6, 0.553198, 5e-7);
  EXPECT_EQ(expected_errors(3, 3, 0.25), 3);
  EXPECT_EQ(expected_errors(0, 0, 0.25), 0);
}

// Whether to play tennis: nine times yes and five times no; windy or not.
TEST(C45, InformationIsThatOfTheExample) {
  EXPECT_NEAR(information_of(std::vector<double>{9, 5}) / 14, 0.940286, 5e-7);
  const double after = information_of(std::vector<double>{6, 2}) + information_of(std::vector<double>{3, 3});
  EXPECT_NEAR(0.940286 - after / 14, 0.048127, 1e-6);
  EXPECT_NEAR(information_of(std::vector<double>{5, 4, 5}) / 14, 1.577406, 5e-7);
  EXPECT_EQ(information_of(std::vector<double>{0, 7}), 0);
}

TEST(C45, AsksForTheMiddleOfNeighbours) {
  const auto tree = sample_of({1, 2, 4, 7}, {0, 0, 1, 1}).tree(kWhole);
  EXPECT_EQ(text_of(*tree), "(0>=3 ..)");
  EXPECT_EQ(tree->weights, (std::vector<double>{2, 2}));
  EXPECT_EQ(tree->below->weights, (std::vector<double>{2, 0}));
}

TEST(C45, OfExclusiveOrWithEqualWeightsIsALeaf) {
  const auto tree =
      sample_of({0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1}, {0, 1, 1, 0, 0, 1, 1, 0}).tree(kWhole);
  EXPECT_TRUE(tree->is_leaf());
}

// The first column has many thresholds and the larger gain; the second, of two values, the larger ratio.
TEST(C45, TheRatioPrefersQuestionsWithEvenSides) {
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (int n = 0; n < 40; ++n) {
    labels.push_back(std::uint16_t(n % 2));
    values.push_back(float(n % 2 == 0 ? n : 100 + n));
    values.push_back(float(n % 2));
  }
  const Sample sample = sample_of(values, labels);
  // Both divide the classes, but the first pays for its 37 thresholds (two examples stay on each side).
  EXPECT_EQ(sample.tree(kWhole)->column, 1u);
  EXPECT_EQ(text_of(*sample.tree(kWhole)), "(1>=0.5 ..)");
}

TEST(C45, LeavesEnoughOnEachSide) {
  const Sample sample = sample_of({1, 2, 3, 4, 5, 6, 7, 8}, {1, 0, 0, 0, 0, 0, 0, 0});
  const auto tree = sample.tree(kWhole);
  ASSERT_FALSE(tree->is_leaf());
  EXPECT_EQ(tree->threshold, 2.5f) << "not 1.5, with one example below";
  GrowthOptions large = kWhole;
  large.least_leaf = 5;
  EXPECT_TRUE(sample.tree(large)->is_leaf());
  GrowthOptions one = kWhole;
  one.most_depth = 1;
  EXPECT_LE(num_leaves(*sample.tree(one)), 2u);
}

Sample noisy(std::uint64_t seed, bool are_codes) {
  RandomStream stream(seed, "c45");
  std::vector<float> numbers;
  Sample sample;
  for (std::size_t n = 0; n < 600; ++n) {
    for (int i = 0; i < 4; ++i) numbers.push_back(float(stream.below(are_codes ? 256 : 1000)));
    const bool is_large = numbers[n * 4] > (are_codes ? 127 : 500);
    sample.labels.push_back(std::uint16_t(stream.below(5) == 0 ? stream.below(3) : is_large ? 1 : 2));
    sample.weights.push_back(double(1 + n % 3));
  }
  sample.rows.num_columns = 4;
  add_rows(numbers, are_codes, sample.rows);
  return sample;
}

TEST(C45, PruningTakesAwayWhatFitsTheNoise) {
  for (const bool are_codes : {false, true})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Sample sample = noisy(seed, are_codes);
      const auto whole = sample.tree(kWhole), pruned = sample.tree({}),
                 harder = sample.tree({.confidence = 0.01});
      EXPECT_LT(num_leaves(*pruned), num_leaves(*whole));
      EXPECT_LT(num_leaves(*harder), num_leaves(*pruned));
      EXPECT_EQ(pruned->column, 0u);
      EXPECT_FALSE(pruned->is_leaf());
    }
}

// Counting and comparing give the same order.
TEST(C45, CodesAndTheirValuesGiveTheSameTree) {
  const Sample codes = noisy(3, true);
  Sample values = codes;
  values.rows.codes.clear();
  for (const std::uint8_t code : codes.rows.codes) values.rows.values.push_back(float(code));
  EXPECT_EQ(text_of(*codes.tree({})), text_of(*values.tree({})));
}

TEST(C45, AWeightIsTheNumberOfExamples) {
  const Sample sample = noisy(7, false);
  Sample repeated{{4}, {}, {}};
  for (std::size_t n = 0; n < sample.labels.size(); ++n)
    for (int k = 0; k < int(sample.weights[n]); ++k) {
      for (std::size_t i = 0; i < 4; ++i) repeated.rows.values.push_back(sample.rows.values[n * 4 + i]);
      repeated.labels.push_back(sample.labels[n]);
      repeated.weights.push_back(1);
    }
  EXPECT_EQ(text_of(*sample.tree({})), text_of(*repeated.tree({})));
}

TEST(C45, IsTheSameForAnyNumberOfThreads) {
  const Sample sample = noisy(9, false);
  EXPECT_EQ(text_of(*sample.tree({}, 1)), text_of(*sample.tree({}, 3)));
}

}  // namespace
}  // namespace mash
