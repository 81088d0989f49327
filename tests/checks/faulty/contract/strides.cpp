// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Takes bytes for pixels.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    return float(view.gray().row(y)[view.width() / 2]);
  }
};

TEST_HEURISTIC(Faulty)
