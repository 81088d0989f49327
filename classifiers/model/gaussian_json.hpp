// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "classifiers/model/gaussian_model.hpp"

// The keys of the file of naive Bayes, in addition to the head: priors, largest_score, inputs.
namespace mash {

void put_keys(const GaussianModel& model, nlohmann::ordered_json& document);

// Errors (kInput): a missing or wrong key; the message gives its place.
Result<GaussianModel> parse_gaussian(const nlohmann::ordered_json& document, ModelHead head);

}  // namespace mash
