// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "classifiers/model/kernel_model.hpp"

// The keys of the file of support vector machines, in addition to the head: kernel, largest_score, inputs,
// biases, vectors.
namespace mash {

void put_keys(const KernelModel& model, nlohmann::ordered_json& document);

// Errors (kInput): a missing or wrong key; the message gives its place.
Result<KernelModel> parse_kernel(const nlohmann::ordered_json& document, ModelHead head);

}  // namespace mash
