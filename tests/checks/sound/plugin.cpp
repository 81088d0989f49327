// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

TEST_HEURISTIC(Sound)
