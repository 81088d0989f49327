// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// A histogram on the stack that begins with what is there.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    volatile int histogram[16];
    for (std::uint32_t x = 0; x < view.width(); ++x) {
      const unsigned bin = view.gray()(x, y) / 16u;
      histogram[bin] = histogram[bin] + 1;
    }
    return float(histogram[y % 16]);
  }
};

TEST_HEURISTIC(Faulty)
