// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    static std::atomic<int> num_threads = 0;
    thread_local const int thread_idx = num_threads++;
    return row_mean(view, y) + float(thread_idx);
  }
};

TEST_HEURISTIC(Faulty)
