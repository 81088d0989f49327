// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdlib>

#include "tests/checks/sound.hpp"

// The logarithm of a contrast that may be as large as can be.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    int contrast = 0;
    for (std::uint32_t x = 0; x + 1 < view.width(); ++x)
      contrast += std::abs(view.gray()(x + 1, y) - view.gray()(x, y));
    return std::log(1 - float(contrast) / (255 * float(view.width() - 1)));
  }
};

TEST_HEURISTIC(Faulty)
