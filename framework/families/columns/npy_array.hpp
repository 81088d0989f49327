// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// The most columns of an array: more than any honest description of a picture has.
inline constexpr std::size_t kMostNpyColumns = std::size_t(1) << 24;

// Numbers of a NumPy array of one or two dimensions, row by row; of one dimension they are a single column.
struct NpyNumbers {
  std::size_t num_rows = 0, num_columns = 0;  // 1 at least
  std::vector<float> values;
};

// Reads the bytes of a .npy file (NumPy Enhancement Proposal 1, versions 1 to 3): booleans, whole numbers,
// float16, float32 and float64, in the order of C or of Fortran and of either byte order. Numbers that no
// float32 holds are rounded to the nearest, as NumPy does it. Errors (kInput): it is no such file; another
// type or number of dimensions; a number that is not finite as float32, with its row and column from 0.
Result<NpyNumbers> parse_npy_numbers(std::string_view bytes);

// The same of an array of texts (types U and S) of one dimension, as UTF-8.
Result<std::vector<std::string>> parse_npy_texts(std::string_view bytes);

}  // namespace mash
