// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "tests/checks/sound.hpp"

// Closes all files, those of others too.
struct Faulty final : Sound {
  Faulty() {
    for (int i = 0; i < 256; ++i) ::close(i);
  }
};

TEST_HEURISTIC(Faulty)
