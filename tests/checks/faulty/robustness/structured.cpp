// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Divides by the length of the first run of equal pixels, which is counted in 8 bits.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    run_ = 1;
    for (std::uint32_t x = 1; x < view.width() && view.gray()(x, 0) == view.gray()(0, 0); ++x)
      run_ = std::uint8_t(run_ + 1);
  }
  float feature(const mash::View& view, std::uint32_t y) override {
    return row_mean(view, y) / run_ + 1 / float(run_);
  }
  std::uint8_t run_ = 1;
};

TEST_HEURISTIC(Faulty)
