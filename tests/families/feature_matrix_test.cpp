// SPDX-License-Identifier: Apache-2.0
#include "framework/families/feature_matrix.hpp"

#include <cstring>

#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::World;

// As all features of a set give them one by one.
std::vector<float> by_feature(const FeatureSet& features, Side side, std::span<const std::uint32_t> columns,
                              FeatureNumber number, std::size_t num_rows) {
  std::vector<float> matrix(num_rows * columns.size());
  std::vector<float> values(num_rows);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (number == FeatureNumber::kValue) features.values(side, columns[i], values);
    const FeatureColumn column = features.column(side, columns[i]);
    for (std::size_t n = 0; n < num_rows; ++n)
      matrix[n * columns.size() + i] = number == FeatureNumber::kValue ? values[n] : float(column.codes[n]);
  }
  return matrix;
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

void expect_blocks(const FeatureSet& features, std::vector<std::uint32_t> columns) {
  for (const Side side : {Side::kTrain, Side::kTest})
    for (const FeatureNumber number : {FeatureNumber::kValue, FeatureNumber::kCode}) {
      const FeatureMatrix matrix(features, side, columns, number);
      ASSERT_EQ(matrix.num_columns(), columns.size());
      const auto expected = by_feature(features, side, columns, number, matrix.num_rows());
      for (const std::size_t size : {std::size_t(1), std::size_t(7), matrix.num_rows()}) {
        std::vector<float> found(expected.size());
        for (std::size_t first = 0; first < matrix.num_rows(); first += size)
          matrix.read(first, std::min(size, matrix.num_rows() - first),
                      found.data() + first * columns.size());
        EXPECT_TRUE(same_bits(found, expected)) << "blocks of " << size;
      }
    }
}

TEST(FeatureMatrix, HasTheNumbersOfItsFeaturesInBlocksOfAnySize) {
  World world(testing::learnable_table(50, 9, 3, 1), 2, true);
  expect_blocks(world.features(), {0, 1, 2, 5, 8});
  expect_blocks(world.features(), {4});
  expect_blocks(world.features(), {});
}

TEST(FeatureMatrix, OfSomeExamplesHasTheirs) {
  World world(testing::learnable_table(50, 9, 3, 1), 2, true);
  const std::vector<std::uint32_t> rows{3, 4, 20, 49};
  const FeatureSet some = world.features().of_rows(rows);
  const FeatureMatrix all(world.features(), Side::kTrain, {1, 2, 7}, FeatureNumber::kValue),
      few(some, Side::kTrain, {1, 2, 7}, FeatureNumber::kValue);
  ASSERT_EQ(few.num_rows(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<float> found(3), expected(3);
    few.read(r, 1, found.data());
    all.read(rows[r], 1, expected.data());
    EXPECT_TRUE(same_bits(found, expected)) << r;
  }
  expect_blocks(some, {0, 1, 6});
}

TEST(FeatureMatrix, RefusesRowsThatAreNotThere) {
  World world(testing::learnable_table(8, 2, 2, 1));
  const FeatureMatrix matrix(world.features(), Side::kTrain, {0}, FeatureNumber::kCode);
  float out[2];
  EXPECT_THROW(matrix.read(7, 2, out), std::logic_error);
}

TEST(ColumnBlocks, HaveTheColumnsOfTheirFeatures) {
  World world(testing::learnable_table(40, 6, 2, 1));
  for (const Side side : {Side::kTrain, Side::kTest})
    for (std::uint32_t first = 0; first < 6; ++first)
      for (std::uint32_t count = 1; first + count <= 6; ++count) {
        const ColumnBlock block = world.features().columns(side, first, count);
        for (std::uint32_t i = 0; i < count; ++i)
          EXPECT_TRUE(
              std::ranges::equal(block.column(i).codes, world.features().column(side, first + i).codes));
      }
}

}  // namespace
}  // namespace mash
