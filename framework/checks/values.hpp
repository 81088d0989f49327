// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "framework/checks/check.hpp"

namespace mash::checks {

// The checks of the level "values".
// What compute writes, and which memory it touches.
std::span<const Check> values_checks();

}  // namespace mash::checks
