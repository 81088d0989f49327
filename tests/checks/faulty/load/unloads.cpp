// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

// Linked with -z nodelete.
struct Faulty final : Sound {};

TEST_HEURISTIC(Faulty)
