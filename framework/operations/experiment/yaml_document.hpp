// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "framework/base/settings.hpp"

namespace mash {

// Where a text comes from.
struct YamlSource {
  std::string name;  // the file; or what errors call an override, which has no lines
  Origin origin = Origin::kFile;

  // For errors: "file.yaml:3:12", or the name of an override.
  std::string place(const YAML::Mark& mark) const;
};

// The one document of a text; nothing where the text is empty. Errors (kInput) naming the place: not YAML,
// not UTF-8, a value with control characters, a second document.
Result<YAML::Node> parse_yaml(const std::string& text, const YamlSource& source);

}  // namespace mash
