// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "classifiers/model/strong_classifier.hpp"

// The keys of the file of a sum of hypotheses, in addition to the head: hypotheses, costs.
namespace mash {

void put_keys(const StrongClassifier& model, nlohmann::ordered_json& document);

// Errors (kInput): a missing or wrong key; the message gives its place.
Result<StrongClassifier> parse_sum(const nlohmann::ordered_json& document, ModelHead head);

}  // namespace mash
