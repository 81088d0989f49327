// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "framework/base/result.hpp"

namespace mash {

// The one document of a text; nothing where the text is empty. file: for errors; also an option, such as
// "--set seed=x", which has no lines.
// Errors (kInput) naming file and line: not YAML, not UTF-8, a value with control characters, a second
// document.
Result<YAML::Node> parse_yaml(const std::string& text, const std::string& file);

// "file:3"
std::string yaml_place(const std::string& file, const YAML::Mark& mark);

}  // namespace mash
