// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "tests/checks/sound.hpp"

// A table by the number of pixels of a pure colour, one row too short: in a picture all may be.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    table_.assign(std::size_t(view.width()) * view.height(), 0);
    std::size_t num_pure = 0;
    for (std::uint32_t y = 0; y < view.height(); ++y)
      for (std::uint32_t x = 0; x < view.width(); ++x) {
        const auto [least, most] = std::minmax({view.red()(x, y), view.green()(x, y), view.blue()(x, y)});
        num_pure += most - least == 255 ? 1 : 0;
      }
    table_[num_pure] = 1;
  }
  float feature(const mash::View& view, std::uint32_t y) override { return row_mean(view, y) + table_[0]; }
  std::vector<float> table_;
};

TEST_HEURISTIC(Faulty)
