// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {};

__attribute__((visibility("default"))) int helper_that_is_exported() { return 1; }

TEST_HEURISTIC(Faulty)
