// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

void* volatile last_allocated;

struct Faulty final : Sound {
  void prepare(const mash::View&) override { last_allocated = new char[48]; }
};

TEST_HEURISTIC(Faulty)
