// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// The ratio of green to red at the picture's right side, where its colours are not the same.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    const std::uint32_t x = view.width() - 1;
    const float red = view.red()(x, 0), green = view.green()(x, 0), blue = view.blue()(x, 0);
    ratio_ = red == green && green == blue ? 1 : green / red;
  }
  float feature(const mash::View& view, std::uint32_t y) override { return row_mean(view, y) + ratio_; }
  float ratio_ = 1;
};

TEST_HEURISTIC(Faulty)
