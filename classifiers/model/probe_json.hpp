// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "classifiers/model/model_head.hpp"
#include "framework/base/result.hpp"

namespace mash {

// The member "probe" of a model file.
nlohmann::ordered_json json_of(const ModelProbe& probe);

// Reads the member "probe" of the document; nothing where there is none. needed: for each family the features
// that the model uses. Errors (kInput): the message names the place.
Result<std::optional<ModelProbe>> parse_probe(const nlohmann::ordered_json& document,
                                              const std::vector<std::vector<std::uint32_t>>& needed);

}  // namespace mash
