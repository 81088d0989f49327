// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace mash {

// A function of two numbers that is added up over the columns of two rows: |a - b|, (a - b)^2 or a b.
enum class PairTerm { kSize, kSquare, kProduct };

// Queries and rows of the same width, one behind the other.
template <class Number>
struct PairBlock {
  const Number* queries;
  std::size_t num_queries;
  const Number* rows;
  std::size_t num_rows;
  std::size_t width;
};

}  // namespace mash
