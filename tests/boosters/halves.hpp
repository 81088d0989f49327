// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "framework/base/random.hpp"
#include "tests/support/world.hpp"

namespace mash::testing {

// Two classes of points in a square, parted by its diagonal, without noise; a third column says nothing.
inline Dataset halves(std::size_t num_train, std::size_t num_test) {
  RandomStream stream(1, "test.halves");
  std::vector<float> values[2];
  std::vector<std::uint16_t> labels[2];
  for (const std::size_t side : {0u, 1u})
    for (std::size_t n = 0; n < (side == 0 ? num_train : num_test); ++n) {
      const auto x = float(stream.uniform(-1, 1)), y = float(stream.uniform(-1, 1));
      values[side].insert(values[side].end(), {x, y, float(stream.uniform())});
      labels[side].push_back(x + y > 0);
    }
  return table(values[0], labels[0], 2, values[1], labels[1]);
}

// Two classes, told apart by twelve columns that agree with the class a little each: a stump with its
// threshold in the middle is wrong on 24 % on the first, on 31 % on any other, and the sign of their sum on
// 4 %.
inline Dataset many_hints(std::size_t num_train, std::size_t num_test) {
  RandomStream stream(1, "test.hints");
  std::vector<float> values[2];
  std::vector<std::uint16_t> labels[2];
  for (const std::size_t side : {0u, 1u})
    for (std::size_t n = 0; n < (side == 0 ? num_train : num_test); ++n) {
      labels[side].push_back(std::uint16_t(stream.below(2)));
      for (int j = 0; j < 12; ++j)
        values[side].push_back(
            float(stream.normal() + (labels[side].back() == 1 ? 1 : -1) * (j == 0 ? 0.7 : 0.5)));
    }
  return table(values[0], labels[0], 2, values[1], labels[1]);
}

}  // namespace mash::testing
