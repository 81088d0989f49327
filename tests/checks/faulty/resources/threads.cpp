// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <thread>

#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  Faulty() {
    std::thread([] { std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
  }
};

TEST_HEURISTIC(Faulty)
