// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// A counter of 8 bits goes round and round.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    volatile std::uint8_t x = 0;
    while (x < view.width() / 8) x = std::uint8_t(x + 1);
  }
};

TEST_HEURISTIC(Faulty)
