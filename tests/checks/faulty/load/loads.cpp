// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

void nobody_defines_this();

struct Faulty final : Sound {
  void prepare(const mash::View&) override { nobody_defines_this(); }
};

TEST_HEURISTIC(Faulty)
