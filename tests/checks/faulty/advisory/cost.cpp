// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    float mean = 0;
    for (int i = 0; i < 2000; ++i) {
      mean = row_mean(view, y);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    return mean;
  }
};

TEST_HEURISTIC(Faulty)
