// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "classifiers/model/input_model.hpp"
#include "classifiers/model/json_reader.hpp"

// The keys of the file of a model with inputs, in addition to the head: largest_score and inputs.
namespace mash {

// The largest size of the number of an input: features are floats, and codes count thresholds.
double largest_number(const ModelInput& input);

// Puts them into the document. put_more(i, json): adds what the kind has of input i.
void put_inputs(const InputModel& model, nlohmann::ordered_json& document,
                const std::function<void(std::size_t i, nlohmann::ordered_json& json)>& put_more);

// Adds them to the model, which has its head. parse_more(reader): reads what the kind has of an input. Errors
// (kInput): a missing or wrong key; the message gives its place.
Status parse_inputs(const nlohmann::ordered_json& document, InputModel& model,
                    const std::function<void(JsonReader& reader)>& parse_more);

}  // namespace mash
