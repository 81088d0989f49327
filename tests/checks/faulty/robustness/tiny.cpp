// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// One feature for each position of a window of 3x3, also where there is none.
struct Faulty final : Sound {
  std::uint32_t dim(mash::Size size) const override { return (size.width - 2) * (size.height - 2); }
  float feature(const mash::View& view, std::uint32_t i) override {
    return view.gray()(i % (view.width() - 2) + 1, i / (view.width() - 2) + 1);
  }
};

TEST_HEURISTIC(Faulty)
