// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/focused_weights.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamples = 20'000, kClasses = 3;  // more than are summed at once
constexpr std::array<std::size_t, 3> kNumCells{2, 5, 256};

class ClassSums : public ::testing::Test {
 protected:
  ClassSums() {
    initialise(InitialWeights::kUniform, Workers(1), weights);
    RandomStream stream(1, "test.class_sums");
    for (std::size_t n = 0; n < kExamples; ++n) {
      for (double& weight : weights.row(n)) weight *= stream.uniform(.5, 1.5);
      if (stream.below(4) > 0) rows.push_back(std::uint32_t(n));
    }
    weights.normalise(Workers(1));
    for (std::size_t i = 0; i < rows.size(); ++i) negated.push_back(std::uint8_t(stream.below(2)));
    for (std::size_t c = 0; c < kNumCells.size(); ++c)
      for (std::size_t n = 0; n < kExamples; ++n)
        cells[c].push_back(std::uint8_t(stream.below(kNumCells[c])));
  }

  // Sums of all columns together are those of each by itself, to the bit, and those of plain loops.
  void expect_sums(const Focus& focus) const {
    for (const int num_threads : {1, 3}) {
      const Workers workers(num_threads);
      FocusedWeights focused(weights, workers);
      focused.set_focus(focus);
      std::vector<ColumnCells> columns;
      for (std::size_t c = 0; c < kNumCells.size(); ++c)
        columns.push_back({std::span(cells[c]).first(focused.num_examples()), kNumCells[c]});
      const auto sums = focused.class_sums(columns);
      ASSERT_EQ(sums.size(), columns.size());
      for (std::size_t c = 0; c < columns.size(); ++c) {
        EXPECT_EQ(sums[c], focused.class_sums(columns[c].cells, columns[c].num_cells));
        std::vector<double> expected(kNumCells[c] * kClasses);
        for (std::size_t i = 0; i < focused.num_examples(); ++i)
          for (std::size_t l = 0; l < kClasses; ++l)
            expected[cells[c][i] * kClasses + l] += focused.factor_of(i) * focused.row(i)[l];
        for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(sums[c][i], expected[i], 1e-12);
      }
    }
  }

  std::vector<std::uint16_t> labels = std::vector<std::uint16_t>(kExamples);
  SignedWeights weights{labels, kClasses};
  std::vector<std::uint32_t> rows;
  std::vector<std::uint8_t> negated;
  std::array<std::vector<std::uint8_t>, kNumCells.size()> cells;
};

TEST_F(ClassSums, SeveralColumnsAddUpAsEachAlone) { expect_sums({{}, 1}); }

TEST_F(ClassSums, SeveralColumnsOfExamplesInFocusToo) { expect_sums({rows, .7, negated}); }

}  // namespace
}  // namespace mash
