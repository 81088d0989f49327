// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tests/checks/sound.hpp"

// Divides by the standard deviation.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    float squares = 0, sum = 0;
    for (std::uint32_t y = 0; y < view.height(); ++y) {
      sum += row_mean(view, y);
      squares += row_mean(view, y) * row_mean(view, y);
    }
    deviation_ = std::sqrt(squares * float(view.height()) - sum * sum);
  }
  float feature(const mash::View& view, std::uint32_t y) override {
    return (row_mean(view, y) - row_mean(view, 0)) / deviation_;
  }
  float deviation_ = 0;
};

TEST_HEURISTIC(Faulty)
