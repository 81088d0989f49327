// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <string_view>

#include "framework/base/settings.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/experiment/yaml_document.hpp"

namespace mash {

// "a mapping", "a list", "nothing" or "a value"
std::string_view kind_of(const YAML::Node& node);

// The value of a setting behind an option, "8" of "dataset.size=8": read as what stands behind the ':' of its
// key in a file. Errors (kInput): a file could not have it there.
Result<YAML::Node> parse_setting_value(const std::string& value, const YamlSource& source);

// The setting that the node has behind its key: a value or a list of values. `resize` of a data set may be a
// mapping, whose keys are settings of their own: `resize.width`. whose: "dataset". where: the place of the
// key, for errors. Errors (kInput): the node is none of these; a key is listed twice.
Result<Settings> read_setting(std::string_view whose, const std::string& key, const YAML::Node& node,
                              const std::string& where, const YamlSource& source);

// The settings of a data set as options give them: "size=8", or "dataset.size=8". Errors (kInput): those of
// read_setting; a setting of another part.
Result<Settings> parse_dataset_settings(const Overrides& given);

}  // namespace mash
