// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Fails on a size instead of refusing it in dim.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    if (view.width() % 2 == 1) throw std::runtime_error("odd width");
  }
};

TEST_HEURISTIC(Faulty)
