// SPDX-License-Identifier: Apache-2.0
#include <ctime>

#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    return row_mean(view, y) + float(std::time(nullptr) % 1000);
  }
};

TEST_HEURISTIC(Faulty)
