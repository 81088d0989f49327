// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Refuses a size that dim has taken.
struct Faulty final : Sound {
  void prepare(const mash::View& view) override {
    if (view.width() == 1) throw mash::Unsupported("the view is too narrow");
  }
};

TEST_HEURISTIC(Faulty)
