// SPDX-License-Identifier: Apache-2.0
#include <cfenv>

#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  void prepare(const mash::View&) override { std::fesetround(FE_UPWARD); }
};

TEST_HEURISTIC(Faulty)
