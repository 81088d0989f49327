// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "classifiers/model/tree_model.hpp"

// The keys of the file of a decision tree, in addition to the head: largest_score, inputs, steps.
namespace mash {

void put_keys(const TreeModel& model, nlohmann::ordered_json& document);

// Errors (kInput): a missing or wrong key; the message gives its place.
Result<TreeModel> parse_tree(const nlohmann::ordered_json& document, ModelHead head);

}  // namespace mash
