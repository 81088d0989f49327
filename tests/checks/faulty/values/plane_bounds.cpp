// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// One pixel too many.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    std::uint32_t sum = 0;
    for (std::uint32_t x = 0; x <= view.width(); ++x) sum += view.gray()(x, y);
    return float(sum);
  }
};

TEST_HEURISTIC(Faulty)
