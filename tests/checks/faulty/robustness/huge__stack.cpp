// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Calls itself for every pixel.
int fill(const mash::View& view, std::uint32_t i) {
  volatile char frame[64] = {};
  if (i + 1 == view.width() * view.height()) return frame[0];
  return fill(view, i + 1) + view.gray()(i % view.width(), i / view.width()) + frame[i % 64];
}

struct Faulty final : Sound {
  void prepare(const mash::View& view) override { sum_ = fill(view, 0); }
  int sum_ = 0;
};

TEST_HEURISTIC(Faulty)
