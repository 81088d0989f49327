// SPDX-License-Identifier: Apache-2.0
#include "tests/checks/sound.hpp"

struct Faulty final : Sound {};

MASH_HEURISTIC(Faulty, "test/faulty", "1.0.0", "", "by nobody", "Apache-2.0")
