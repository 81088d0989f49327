// SPDX-License-Identifier: Apache-2.0
#include <ctime>

#include "tests/checks/sound.hpp"

// Its values do not depend on it yet.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    std::timespec now{};
    if (row_mean(view, y) > 255) (void)std::timespec_get(&now, TIME_UTC);
    return row_mean(view, y) + float(now.tv_sec);
  }
};

TEST_HEURISTIC(Faulty)
