// SPDX-License-Identifier: Apache-2.0
// A heuristic that comes to no end on pictures that are bright somewhere.
#include "tests/checks/sound.hpp"

struct Hanging final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    volatile float mean = row_mean(view, y);
    while (mean > 100) {
    }
    return mean;
  }
};

TEST_HEURISTIC(Hanging)
