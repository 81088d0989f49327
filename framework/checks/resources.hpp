// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "framework/checks/check.hpp"

namespace mash::checks {

// The checks of the level "resources".
// What a heuristic uses up: memory, descriptors, threads, time.
std::span<const Check> resources_checks();

}  // namespace mash::checks
