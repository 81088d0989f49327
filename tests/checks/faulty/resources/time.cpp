// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <thread>

#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  void prepare(const mash::View&) override { std::this_thread::sleep_for(std::chrono::milliseconds(120)); }
};

TEST_HEURISTIC(Faulty)
