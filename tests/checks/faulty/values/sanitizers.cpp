// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// A histogram with a bin too few.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    histogram_.assign(16, 0);
    for (std::uint32_t x = 0; x < view.width(); ++x) ++histogram_[(view.gray()(x, 0) + 8u) / 16];
  }
  float feature(const mash::View&, std::uint32_t y) override { return float(histogram_[y % 16]); }
  std::vector<unsigned> histogram_;
};

TEST_HEURISTIC(Faulty)
