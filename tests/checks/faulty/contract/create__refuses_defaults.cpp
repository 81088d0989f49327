// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  Faulty() { throw mash::Unsupported("expected other settings"); }
};

TEST_HEURISTIC(Faulty)
