// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <stdexcept>

#include "tests/checks/sound.hpp"

// Has room for as many edges as a picture usually has.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    std::size_t num_edges = 0;
    for (std::uint32_t y = 0; y < view.height(); ++y)
      for (std::uint32_t x = 0; x + 1 < view.width(); ++x)
        num_edges += std::abs(view.gray()(x + 1, y) - view.gray()(x, y)) > 100;
    if (num_edges > view.height() * view.width() / 8) throw std::length_error("the table of edges is full");
  }
};

TEST_HEURISTIC(Faulty)
