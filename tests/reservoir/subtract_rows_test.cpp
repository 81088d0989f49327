// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/subtract_rows.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

// All remainders of rows and of numbers; what is behind the numbers stays.
TEST(SubtractRows, OnEachInstructionSetAreAsInPlainLoops) {
  RandomStream stream(1, "rows");
  for (std::size_t count = 0; count <= 19; ++count)
    for (std::size_t size = 0; size <= 35; ++size) {
      std::vector<double> rows(20 * 41), factors(20 * 3), numbers(36);
      for (std::vector<double>* all : {&rows, &factors, &numbers})
        for (double& one : *all) one = stream.normal();
      const FactorRows input{rows.data(), count, 41, factors.data(), 3};
      std::vector<double> expected = numbers;
      subtract_rows_reference(input, expected.data(), size);
      for (const char* target : instruction_sets()) {
        ASSERT_TRUE(choose_instruction_set(target));
        std::vector<double> found = numbers;
        subtract_rows(input, found.data(), size);
        ASSERT_EQ(found, expected) << target << ", " << count << " rows of " << size;
      }
    }
  choose_instruction_set("");
}

TEST(SubtractRowsReference, WorkedExample) {
  const std::vector<double> rows{1, 2, 0, 10, 20, 0}, factors{3, 9, .5};
  std::vector<double> numbers{100, 200, 300};
  subtract_rows_reference({rows.data(), 2, 3, factors.data(), 2}, numbers.data(), 2);
  EXPECT_THAT(numbers, ::testing::ElementsAre(92, 184, 300));
}

}  // namespace
}  // namespace mash
