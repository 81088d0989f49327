// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "framework/checks/check.hpp"

namespace mash::checks {

// The checks of the level "load".
// What can be told of a plugin without calling its heuristics.
std::span<const Check> load_checks();

}  // namespace mash::checks
