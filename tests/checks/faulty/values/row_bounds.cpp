// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// The right neighbour of each pixel, of the last in a row too, except in the last row.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    const std::uint32_t last = y + 1 < view.height() ? view.width() : view.width() - 1;
    return row_mean(view, y) + float(view.gray()(last, y));
  }
};

TEST_HEURISTIC(Faulty)
