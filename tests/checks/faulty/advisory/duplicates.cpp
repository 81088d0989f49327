// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override { return row_mean(view, y / 2); }
  std::uint32_t dim(mash::Size size) const override { return 2 * size.height; }
};

TEST_HEURISTIC(Faulty)
