// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/row_blocks.hpp"

#include <gtest/gtest.h>

#include "tests/support/world.hpp"

namespace mash {
namespace {

// Row n holds 2 n and 2 n + 1.
testing::World counted_world(std::size_t num_rows) {
  std::vector<float> values(2 * num_rows);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i);
  std::vector<std::uint16_t> labels(num_rows);
  for (std::size_t n = 0; n < num_rows; ++n) labels[n] = std::uint16_t(n % 2);
  return testing::World(testing::table(values, labels, 2), 2, true);
}

TEST(ForRowBlocks, GivesEachRowOnceInOrder) {
  for (const std::size_t num_rows : {std::size_t(2), kBlockRows - 1, kBlockRows, 2 * kBlockRows + 1}) {
    testing::World world = counted_world(num_rows);
    const FeatureMatrix matrix(world.features(), Side::kTrain, {0, 1}, FeatureNumber::kValue);
    std::vector<float> seen;
    ASSERT_TRUE(for_row_blocks(matrix, world.work, [&](std::size_t first, std::span<const float> numbers) {
                  EXPECT_EQ(first * 2, seen.size());
                  EXPECT_LE(numbers.size(), 2 * kBlockRows);
                  seen.insert(seen.end(), numbers.begin(), numbers.end());
                }).ok());
    ASSERT_EQ(seen.size(), 2 * num_rows);
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], float(i));
  }
}

}  // namespace
}  // namespace mash
