// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "framework/checks/check.hpp"

namespace mash::checks {

// The checks of the level "advisory".
// What is allowed and seldom wanted: features that add nothing or cost much. Over rendered digits and noise.
std::span<const Check> advisory_checks();

}  // namespace mash::checks
