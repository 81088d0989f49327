// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "tests/checks/sound.hpp"

// Its values do not depend on it yet.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    return row_mean(view, y) + (row_mean(view, y) > 255 ? float(std::rand()) : 0);
  }
};

TEST_HEURISTIC(Faulty)
