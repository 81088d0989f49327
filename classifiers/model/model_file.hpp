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

// Reads this version of the file and those from 2 on. Errors (kInput): the text is not JSON, is of another
// format or version, or has a missing or wrong key (the message names it).
Result<Model> parse_model(std::string_view text);

}  // namespace mash
