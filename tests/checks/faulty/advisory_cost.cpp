// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    for (volatile int i = 0; i < 100'000; i = i + 1) {
    }
    return row_mean(view, y);
  }
};

TEST_HEURISTIC(Faulty)
