// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Is never loaded to the end.
[[gnu::constructor]] static void work() {
  volatile bool goes_on = true;
  while (goes_on) {
  }
}

struct Faulty final : Sound {};

TEST_HEURISTIC(Faulty)
