// SPDX-License-Identifier: Apache-2.0
// Rarer habits of source written for the MASH SDK 1.x, each in a source of its own in habits/.
#include <bit>
#include <filesystem>

#include "tests/extractors/test_image.hpp"
#include "tests/extractors/test_plugins.hpp"

namespace mash {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

// A source, a square picture of that side, and its features worked out by hand.
struct Habit {
  const char* source;
  std::uint32_t side;
  std::vector<std::uint8_t> pixels;
  std::vector<float> features;  // none: it does not support the size
};
const Habit kHabits[] = {
    {"large_table", 3, {7, 0, 255, 1, 1, 1, 1, 1, 1}, {7, 0, 255}},
    {"sign_of_zero", 3, {127, 128, 0, 9, 9, 9, 9, 9, 9}, {-0.0f, 0.0f, -0.0f}},
    // Extents 1, 2 and 3; of 5x5 pixels the one feature is the pixel in the middle.
    {"no_features", 3, std::vector<std::uint8_t>(9, 5), {}},
    {"no_features",
     5,
     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25},
     {13}},
    {"no_features", 7, std::vector<std::uint8_t>(49, 5), {}},
    // Weights 1 0 1, then 2 1 0 1 2.
    {"table_of_init", 3, {1, 9, 2, 3, 9, 4, 5, 9, 6}, {3, 7, 11}},
    {"table_of_init",
     5,
     {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 10},
     {2, 1, 0, 1, 20}},
    {"several_headers", 3, {10, 20, 30, 0, 0, 0, 0, 0, 99}, {60, 10, 99}},
};

std::vector<std::uint32_t> bits_of(std::span<const float> values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

TEST(ClassicHabits, HaveTheValuesThatOneWorksOut) {
  for (const Habit& habit : kHabits) {
    SCOPED_TRACE(fmt::format("{}, {}x{}", habit.source, habit.side, habit.side));
    const auto opened = open_guarded(std::string("habit_") + habit.source, {1, 0, 0});
    ASSERT_EQ(message_of(opened), "");
    const auto dim = (*opened)->dim({habit.side, habit.side});
    if (habit.features.empty()) {
      EXPECT_THAT(message_of(dim), HasSubstr("dim: unsupported: it has no features"));
      continue;
    }
    ASSERT_EQ(message_of(dim), "");
    const TestImage image(habit.side, habit.side, 1, habit.pixels);
    std::vector<float> out(*dim);
    ASSERT_EQ(message_of((*opened)->prepare(image.abi(), image.whole())), "");
    ASSERT_EQ(message_of((*opened)->compute({}, out)), "");
    ASSERT_EQ(message_of((*opened)->release()), "");
    EXPECT_THAT(bits_of(out), ElementsAreArray(bits_of(habit.features))) << "to the sign of zero";
  }
}

// An instance has a table for each size that it meets, in any order.
TEST(ClassicHabits, AnInstanceKeepsItsSizesApart) {
  const auto opened = open_guarded("habit_table_of_init", {1, 0, 0});
  ASSERT_EQ(message_of(opened), "");
  for (const std::uint32_t side : {5u, 3u, 5u}) EXPECT_EQ(*(*opened)->dim({side, side}), side);
}

TEST(ClassicHabits, ALargeSourceIsOne) {
  EXPECT_GT(std::filesystem::file_size(MASH_LARGE_SOURCE), std::uintmax_t(1) << 20);
}

}  // namespace
}  // namespace mash
