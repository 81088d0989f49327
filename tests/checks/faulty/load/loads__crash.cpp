// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "tests/checks/sound.hpp"

// Ends the process that loads it.
const int loaded = (std::abort(), 1);

struct Faulty final : Sound {};

TEST_HEURISTIC(Faulty)
