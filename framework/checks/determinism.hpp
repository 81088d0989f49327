// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "framework/checks/check.hpp"

namespace mash::checks {

// The checks of the level "determinism".
// Whether a feature depends on the parameters and the view's pixels only.
std::span<const Check> determinism_checks();

}  // namespace mash::checks
