// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Takes views of one size alone, which nobody has.
struct Faulty final : Sound {
  std::uint32_t dim(mash::Size size) const override {
    if (size.width != 1000 || size.height != 1000) throw mash::Unsupported("expected 1000x1000 pixels");
    return size.height;
  }
};

TEST_HEURISTIC(Faulty)
