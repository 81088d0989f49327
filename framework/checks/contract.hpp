// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "framework/checks/check.hpp"

namespace mash::checks {

// The checks of the level "contract".
// What mash/abi/heuristic.h asks of every heuristic, apart from the values.
std::span<const Check> contract_checks();

}  // namespace mash::checks
