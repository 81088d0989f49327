// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "classifiers/model/linear_model.hpp"

// The keys of a linear model's file, in addition to the head: intercepts, largest_score, inputs.
namespace mash {

void put_keys(const LinearModel& model, nlohmann::ordered_json& document);

// Errors (kInput): a missing or wrong key; the message gives its place.
Result<LinearModel> parse_linear(const nlohmann::ordered_json& document, ModelHead head);

}  // namespace mash
