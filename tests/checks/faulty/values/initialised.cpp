// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "tests/checks/sound.hpp"

// A column without a bright pixel keeps what its element held.
struct Faulty final : Sound {
  std::uint32_t dim(mash::Size size) const override { return size.width; }
  void prepare(const mash::View& view) override {
    peaks_.reset(new float[view.width()]);
    for (std::uint32_t x = 0; x < view.width(); ++x)
      for (std::uint32_t y = 0; y < view.height(); ++y)
        if (view.gray()(x, y) > 254) peaks_[x] = float(y);
  }
  float feature(const mash::View&, std::uint32_t x) override { return peaks_[x]; }
  std::unique_ptr<float[]> peaks_;
};

TEST_HEURISTIC(Faulty)
