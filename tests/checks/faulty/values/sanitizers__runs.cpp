// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "tests/checks/sound.hpp"

// Counts runs of equal pixels by their length, and has no room for those of 256 pixels and more.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    counts_.assign(256, 0);
    std::uint32_t length = 1;
    for (std::uint32_t x = 1; x <= view.width(); ++x) {
      if (x < view.width() && view.gray()(x, 0) == view.gray()(x - 1, 0)) {
        ++length;
      } else {
        ++counts_[length];
        length = 1;
      }
    }
  }
  float feature(const mash::View& view, std::uint32_t y) override {
    return row_mean(view, y) + float(counts_[1]);
  }
  std::vector<std::uint32_t> counts_;
};

TEST_HEURISTIC(Faulty)
