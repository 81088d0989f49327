// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "classifiers/model/model.hpp"
#include "framework/base/result.hpp"

// The model file: JSON, documented in docs/model-file.md.
namespace mash {

// Equal models give equal bytes.
std::string serialise(const Model& model);

// Reads this version of the file and the one before. Errors (kInput): not JSON, another format or version, a
// missing or wrong key; names the key.
Result<Model> parse_model(std::string_view text);

}  // namespace mash
