// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include "tests/checks/sound.hpp"

// Leaves a file open for every fiftieth picture.
struct Faulty final : Sound {
  void prepare(const mash::View&) override {
    if (++num_pictures_ % 50 == 0) last_ = ::open("/dev/null", O_RDONLY);
  }
  int num_pictures_ = 0, last_ = -1;
};

TEST_HEURISTIC(Faulty)
