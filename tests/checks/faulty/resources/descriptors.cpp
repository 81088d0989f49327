// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  Faulty() : descriptor_(::open("/dev/null", O_RDONLY)) {}
  int descriptor_;
};

TEST_HEURISTIC(Faulty)
