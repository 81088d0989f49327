// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// The ratio of red to green, where the picture is not grey.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    float red = 0, green = 0, blue = 0;
    for (std::uint32_t y = 0; y < view.height(); ++y)
      for (std::uint32_t x = 0; x < view.width(); ++x) {
        red += view.red()(x, y);
        green += view.green()(x, y);
        blue += view.blue()(x, y);
      }
    ratio_ = red == green && green == blue ? 1 : red / green;
  }
  float feature(const mash::View& view, std::uint32_t y) override { return row_mean(view, y) + ratio_; }
  float ratio_ = 1;
};

TEST_HEURISTIC(Faulty)
