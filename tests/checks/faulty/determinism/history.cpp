// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/checks/sound.hpp"

// Divides by the brightest row of all pictures so far.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    brightest_ = std::max(brightest_, row_mean(view, y));
    return row_mean(view, y) / (brightest_ + 1);
  }
  float brightest_ = 0;
};

TEST_HEURISTIC(Faulty)
