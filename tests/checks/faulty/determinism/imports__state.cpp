// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "tests/checks/sound.hpp"

// A generator of the process, beside a state of its own. Its values do not depend on it yet.
struct Faulty final : Sound {
  float feature(const mash::View& view, std::uint32_t y) override {
    return row_mean(view, y) + (row_mean(view, y) > 255 ? float(::nrand48(state_)) : 0);
  }
  unsigned short state_[3] = {1, 2, 3};
};

TEST_HEURISTIC(Faulty)
