// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// The left neighbour of the first pixel.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override { return float(view.gray().row(y)[-1]); }
};

TEST_HEURISTIC(Faulty)
