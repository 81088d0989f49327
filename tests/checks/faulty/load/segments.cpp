// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Linked with -z execstack.
struct Faulty final : Sound {};

TEST_HEURISTIC(Faulty)
