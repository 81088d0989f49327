// SPDX-License-Identifier: Apache-2.0
// A heuristic that never returns, and tries to buy itself time with what it writes to the descriptor on which
// its worker answers: RESTLESS_WRITES, five times a second.
#include <unistd.h>

#include <string_view>

#include "tests/checks/sound.hpp"

struct Restless final : Sound {
  Restless() {
    constexpr std::string_view kWrites = RESTLESS_WRITES;
    for (;;) {
      if (::write(3, kWrites.data(), kWrites.size()) < 0) return;
      ::usleep(200'000);
    }
  }
};

TEST_HEURISTIC(Restless)
