// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {
  Faulty() { throw std::runtime_error("a file that is not there"); }
};

TEST_HEURISTIC(Faulty)
