// SPDX-License-Identifier: Apache-2.0
#include "framework/base/transpose.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "framework/base/instruction_set.hpp"

namespace mash {
namespace {

// All numbers differ from their neighbours, and what is not to be written is 99.
template <class T>
void expect_transposed(std::size_t num_rows, std::size_t num_columns) {
  const std::size_t in_stride = num_columns + 3, out_stride = num_rows + 5;
  std::vector<T> in(num_rows * in_stride);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = T(i % 97);
  std::vector<T> expected(num_columns * out_stride, T(99));
  for (std::size_t i = 0; i < num_rows; ++i)
    for (std::size_t j = 0; j < num_columns; ++j) expected[j * out_stride + i] = in[i * in_stride + j];
  for (const char* target : instruction_sets()) {
    ASSERT_TRUE(choose_instruction_set(target));
    std::vector<T> out(num_columns * out_stride, T(99));
    transpose({in.data(), in_stride}, num_rows, num_columns, StridedRows<T>{out.data(), out_stride});
    EXPECT_EQ(out, expected) << target << ", " << num_rows << " x " << num_columns;
  }
  choose_instruction_set("");
}

TEST(Transpose, IsTheSameOnEachInstructionSetForAllSizes) {
  for (std::size_t num_rows = 0; num_rows <= 36; ++num_rows)
    for (std::size_t num_columns = 0; num_columns <= 36; ++num_columns) {
      expect_transposed<std::uint8_t>(num_rows, num_columns);
      expect_transposed<float>(num_rows, num_columns);
    }
}

}  // namespace
}  // namespace mash
