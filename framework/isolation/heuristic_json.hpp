// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/extractors/heuristic_info.hpp"

namespace mash {

// Descriptions of the heuristics of a plugin, without the file's name and hash: an array of objects.
nlohmann::json json_of(const std::vector<HeuristicInfo>& heuristics);

// Back again. There is an answer for any JSON. Errors (kInput): it is not of that form, or says what no
// plugin can: no heuristic, a parameter without a range.
Result<std::vector<HeuristicInfo>> heuristics_in(const nlohmann::json& json);

}  // namespace mash
