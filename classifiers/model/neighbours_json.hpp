// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "classifiers/model/neighbours_model.hpp"

// The keys of the file of nearest neighbours, in addition to the head: k, p, largest_score, inputs, examples.
namespace mash {

void put_keys(const NeighboursModel& model, nlohmann::ordered_json& document);

// Errors (kInput): a missing or wrong key; the message gives its place.
Result<NeighboursModel> parse_neighbours(const nlohmann::ordered_json& document, ModelHead head);

}  // namespace mash
