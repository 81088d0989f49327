// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Half a feature for a view of one row.
struct Faulty final : Sound {
  std::uint32_t dim(mash::Size size) const override { return size.height / 2; }
};

TEST_HEURISTIC(Faulty)
