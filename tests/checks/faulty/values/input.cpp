// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  void prepare(const mash::View& view) override { *const_cast<std::uint8_t*>(view.gray().row(0)) ^= 1; }
};

TEST_HEURISTIC(Faulty)
