// SPDX-License-Identifier: Apache-2.0
#include <cfenv>

#include "tests/checks/sound.hpp"

// Changes the arithmetic as it is loaded, as what -ffast-math links does.
[[gnu::constructor]] static void round_upward() { std::fesetround(FE_UPWARD); }

struct Faulty final : Sound {};

TEST_HEURISTIC(Faulty)
