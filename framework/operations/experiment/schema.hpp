// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "framework/extractors/heuristic_info.hpp"

namespace mash {

// The experiment file as a JSON schema (draft 7), for editors: every key with type, range, default, meaning
// and example, made from the code that reads the file. Rules that depend on the data, or on several keys at
// once, only the program can check. heuristics: the ids and settings that the schema allows; empty: it allows
// any.
nlohmann::ordered_json experiment_schema(std::span<const HeuristicInfo> heuristics = {});

}  // namespace mash
