// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "framework/base/settings.hpp"

namespace mash {

// Origin of a text.
struct YamlSource {
  std::string name;  // the file; or what errors call an override, which has no lines
  Origin origin = Origin::kFile;

  // For errors: "file.yaml:3:12", or the name of an override.
  std::string place(const YAML::Mark& mark) const;
};

// The only document of a text; nothing where the text is empty. Errors (kInput), with the place: the text is
// not YAML or not UTF-8, a value has control characters, or there is a second document.
Result<YAML::Node> parse_yaml(const std::string& text, const YamlSource& source);

}  // namespace mash
