// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    return row_mean(view, y) * std::strtof("0.5", nullptr);
  }
};

TEST_HEURISTIC(Faulty)
