// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "framework/reports/comparison/comparison.hpp"

namespace mash {

// The document of a comparison. Errors and their differences are fractions; gains and theirs in per cent of
// the log-loss. What is not known is null.
nlohmann::ordered_json to_json(const ComparisonReport& comparison);

}  // namespace mash
