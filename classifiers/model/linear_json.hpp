// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "classifiers/model/linear_model.hpp"

// The keys of a model file that linear models have beside the head: intercepts, largest_score, inputs.
namespace mash {

void put_keys(const LinearModel& model, nlohmann::ordered_json& document);

// Errors (kInput): a missing or wrong key, by its place.
Result<LinearModel> parse_linear(const nlohmann::ordered_json& document, ModelHead head);

}  // namespace mash
