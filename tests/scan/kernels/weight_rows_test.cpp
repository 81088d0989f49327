// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/weight_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

TEST(Strips, AreOfFourEightOrSixteenLanes) {
  const auto layout = [](std::size_t num_classes) {
    return std::pair(Strips(num_classes).num_lanes, Strips(num_classes).num_strips);
  };
  EXPECT_EQ(layout(1), std::pair(4ul, 1ul));
  EXPECT_EQ(layout(4), std::pair(4ul, 1ul));
  EXPECT_EQ(layout(5), std::pair(8ul, 1ul));
  EXPECT_EQ(layout(9), std::pair(16ul, 1ul));
  EXPECT_EQ(layout(17), std::pair(16ul, 2ul));
  EXPECT_EQ(layout(101), std::pair(16ul, 7ul));
  EXPECT_EQ(Strips(101).num_all_lanes(), 112u);
  EXPECT_EQ(Strips(17).at(1, 3, 10), 13u * 16);
}

TEST(RowBlocks, AreTheLongestThatLeaveRoomToOthers) {
  // Two lanes: the first is full after the second row, then the second one after the fourth. A row that is
  // too large by itself is a block of its own.
  const std::vector<std::int16_t> weights{-8191, 0, 0, 0, 0, 5, 0,      0, 1, 8186, 0, 0, -9, 6,
                                          0,     0, 0, 0, 0, 0, -32767, 0, 0, 0,    0, 0, -7, 0};
  std::vector<RowBlock> blocks{{9, 1}};
  append_blocks(weights.data(), 7, Strips(2), 0, 7, blocks);
  EXPECT_THAT(blocks, ::testing::ElementsAre(RowBlock{9, 1}, RowBlock{2, 8191}, RowBlock{3, 8186},
                                             RowBlock{5, 9}, RowBlock{6, 32767}, RowBlock{7, 7}));
  blocks.clear();
  append_blocks(weights.data(), 7, Strips(2), 3, 3, blocks);
  EXPECT_THAT(blocks, ::testing::IsEmpty());
}

TEST(RowBlocks, OfManyRowsAreTheLongestToo) {
  RandomStream stream(1, "test.blocks");
  for (const std::int64_t largest : {127, 1000, 32767}) {
    const Strips strips(1);
    constexpr std::size_t kRows = 2000;
    std::vector<std::int8_t> bytes(kRows * strips.num_lanes);
    std::vector<std::int16_t> words(kRows * strips.num_lanes);
    for (std::size_t i = 0; i < words.size(); i += strips.num_lanes) {
      words[i] = std::int16_t(std::int64_t(stream.below(std::uint64_t(2 * largest + 1))) - largest);
      bytes[i] = std::int8_t(words[i] % 128);
    }
    const auto expected = [&](const auto& weights) {
      std::vector<RowBlock> blocks{{0, 0}};
      for (std::uint32_t r = 0; r < kRows; ++r) {
        const std::int32_t size = std::abs(weights[r * strips.num_lanes]);
        if (r > 0 && blocks.back().sum + size > kUsualBlockSum) blocks.push_back({r, 0});
        blocks.back() = {r + 1, blocks.back().sum + size};
      }
      return blocks;
    };
    std::vector<RowBlock> of_words, of_bytes;
    append_blocks(words.data(), kRows, strips, 0, kRows, of_words);
    append_blocks(bytes.data(), kRows, strips, 0, kRows, of_bytes);
    EXPECT_EQ(of_words, expected(words)) << largest;
    EXPECT_EQ(of_bytes, expected(bytes)) << largest;
    EXPECT_GT(of_words.size(), 2u) << largest;
  }
}

}  // namespace
}  // namespace mash
