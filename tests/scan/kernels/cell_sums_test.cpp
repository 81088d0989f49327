// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/cell_sums.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

class CellSums : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CellSums, OnEachInstructionSetAreAsInPlainLoops) {
  constexpr std::size_t kRows = 61, kCells = 5;
  const std::size_t num_classes = GetParam();
  RandomStream stream(1, "cell sums", num_classes);
  std::vector<double> weights(2 * kRows * num_classes);
  for (double& weight : weights) weight = stream.uniform(-1, 1);
  std::vector<std::uint32_t> some;
  std::vector<std::uint8_t> negated;
  std::vector<std::vector<std::uint8_t>> cells(4);  // of each column
  for (std::size_t n = 0; n < kRows; ++n) {
    some.push_back(std::uint32_t(stream.below(2 * kRows)));
    negated.push_back(std::uint8_t(stream.below(2)));
    for (auto& column : cells) column.push_back(std::uint8_t(stream.below(kCells)));
  }
  cells[3] = cells[2];  // one feature may be asked about twice
  for (const SummedRows& rows :
       {SummedRows{weights, {}, {}, kRows, num_classes}, SummedRows{weights, some, {}, kRows, num_classes},
        SummedRows{weights, some, negated, kRows, num_classes}}) {
    std::vector<std::vector<double>> expected(cells.size(), std::vector<double>(kCells * num_classes, 0.5));
    const auto columns_into = [&](std::vector<std::vector<double>>& sums, std::size_t count) {
      std::vector<ColumnSums> columns;
      for (std::size_t c = 0; c < count; ++c) columns.push_back({cells[c].data(), sums[c].data()});
      return columns;
    };
    for (const ColumnSums& column : columns_into(expected, cells.size()))
      add_to_cells_reference(rows, column);
    for (const char* target : instruction_sets()) {
      ASSERT_TRUE(choose_instruction_set(target));
      for (std::size_t count = 1; count <= cells.size(); ++count) {
        std::vector<std::vector<double>> sums(count, std::vector<double>(kCells * num_classes, 0.5));
        add_to_cells(rows, columns_into(sums, count));
        for (std::size_t c = 0; c < count; ++c)
          EXPECT_EQ(sums[c], expected[c]) << target << ", " << count << " columns";
      }
    }
  }
  choose_instruction_set("");
}
INSTANTIATE_TEST_SUITE_P(Classes, CellSums, ::testing::Values(1, 2, 3, 4, 7, 8, 9, 10, 16, 26, 101));

TEST(CellSumsReference, AddsToWhatIsThere) {
  const std::vector<double> weights{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint32_t> rows{2, 0};
  const std::vector<std::uint8_t> negated{0, 1}, cells{1, 1};
  std::vector<double> sums{0, 0, 10, 20};
  add_to_cells_reference({weights, rows, negated, rows.size(), 2}, {cells.data(), sums.data()});
  EXPECT_EQ(sums, (std::vector<double>{0, 0, 14, 24}));
}

}  // namespace
}  // namespace mash
