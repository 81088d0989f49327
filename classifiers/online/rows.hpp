// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "classifiers/online/online_booster.hpp"

namespace mash {

// In the order of the names.
std::span<const OnlineRow> online_boosters();

// The row of that name. Errors (kInput): unknown; lists the known ones.
Result<const OnlineRow*> find_online_booster(std::string_view name);

}  // namespace mash
