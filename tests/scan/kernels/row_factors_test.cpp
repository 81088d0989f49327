// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/row_factors.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

class RowFactorsTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(RowFactorsTest, OnEachInstructionSetIsAsInPlainLoops) {
  constexpr std::size_t kRows = 61, kCells = 3;
  const std::size_t num_classes = GetParam();
  RandomStream stream(1, "row factors", num_classes);
  std::vector<double> table(kCells * num_classes * num_classes), rows(kRows * num_classes);
  for (double& factor : table) factor = stream.uniform(0.5, 2);
  for (double& weight : rows) weight = stream.uniform(-1, 1);
  std::vector<std::uint8_t> cells;
  std::vector<std::uint16_t> labels;
  for (std::size_t n = 0; n < kRows; ++n) {
    cells.push_back(std::uint8_t(stream.below(kCells)));
    labels.push_back(std::uint16_t(stream.below(num_classes)));
  }
  const RowFactors factors{table, cells, labels, num_classes};
  std::vector<double> expected = rows, expected_sums(kRows);
  multiply_rows_reference(factors, expected.data(), expected_sums.data());
  for (const char* target : instruction_sets()) {
    ASSERT_TRUE(choose_instruction_set(target));
    std::vector<double> product = rows, sums(kRows);
    multiply_rows(factors, product.data(), sums.data());
    EXPECT_EQ(product, expected) << target;
    EXPECT_EQ(sums, expected_sums) << target;
  }
  choose_instruction_set("");
}
INSTANTIATE_TEST_SUITE_P(Classes, RowFactorsTest, ::testing::Range<std::size_t>(1, 27));

TEST(RowFactorsReference, PicksTheRowByCellAndLabel) {
  const std::vector<double> table{1, 2, 3, 4, 5, 6, 7, 8};  // 2 cells x 2 labels x 2 classes
  const std::vector<std::uint8_t> cells{1, 0, 1};
  const std::vector<std::uint16_t> labels{0, 1, 1};
  std::vector<double> rows{1, -1, 0.5, -0.5, 1, 0}, sums(3);
  multiply_rows_reference({table, cells, labels, 2}, rows.data(), sums.data());
  EXPECT_EQ(rows, (std::vector<double>{5, -6, 1.5, -2, 7, 0}));
  EXPECT_EQ(sums, (std::vector<double>{11, 3.5, 7}));
}

}  // namespace
}  // namespace mash
