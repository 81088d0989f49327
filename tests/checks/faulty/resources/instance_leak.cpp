// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

void* volatile last_allocated;

struct Faulty final : Sound {
  Faulty() { last_allocated = new char[100]; }
};

TEST_HEURISTIC(Faulty)
