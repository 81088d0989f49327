// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/table_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

TEST(TableRows, AreCopiedAndAddedAlikeOnEachInstructionSet) {
  constexpr std::size_t kExamples = 131, kCells = 5;
  for (std::size_t row_size = 1; row_size <= 35; ++row_size) {
    RandomStream stream(1, "table rows", row_size);
    std::vector<double> rows(kCells * row_size);
    stream.uniform(rows);
    std::vector<std::uint8_t> cells;
    for (std::size_t n = 0; n < kExamples; ++n) cells.push_back(std::uint8_t(stream.below(kCells)));
    std::vector<double> expected;
    for (const std::uint8_t cell : cells)
      expected.insert(expected.end(), rows.begin() + std::ptrdiff_t(cell * row_size),
                      rows.begin() + std::ptrdiff_t((cell + 1) * row_size));
    const TableRows table{cells.data(), rows.data()};
    for (const char* target : instruction_sets()) {
      ASSERT_TRUE(choose_instruction_set(target));
      std::vector<double> copied(expected.size() + 1, 7), added(expected.size() + 1);
      copy_table_rows(table, kExamples, row_size, copied.data());
      add_table_rows({&table, 1}, kExamples, row_size, added.data());
      EXPECT_EQ(copied.back(), 7) << target << " writes beyond the last row of " << row_size;
      copied.pop_back();
      added.pop_back();
      EXPECT_EQ(copied, expected) << target << ", " << row_size;
      EXPECT_EQ(added, expected) << target << ", " << row_size;
    }
  }
  choose_instruction_set("");
}

}  // namespace
}  // namespace mash
