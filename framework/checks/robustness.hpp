// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "framework/checks/check.hpp"

namespace mash::checks {

// The checks of the level "robustness".
// Pictures that nobody draws, on which heuristics divide by zero and run over.
std::span<const Check> robustness_checks();

}  // namespace mash::checks
