// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "framework/base/result.hpp"
#include "framework/families/family.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/experiment/yaml_document.hpp"

namespace mash {

// Items of the list `heuristics` that name no heuristic: {columns: embeddings.npy, name: embeddings}, the
// family "columns:embeddings". In an experiment the item has this name, and the file as the setting
// `columns`.

// The key of the file.
inline constexpr const char* kColumnsKey = "columns";

// The item of a file. name: of the family behind "columns:"; empty: that of the file. Errors (kInput): no
// file is named; the name has other characters than names of columns have.
Result<NamedSettings> columns_item(const std::string& file, const std::string& name, std::string where,
                                   Origin origin);

// Whether an item of a file is such a one: with `id` it is a heuristic, which may have a setting of this
// name.
bool is_columns_item(const YAML::Node& item);
// Errors (kInput): those of columns_item; another key, or a value that is none.
Result<NamedSettings> read_columns_item(const YAML::Node& item, const YamlSource& source);

// Whether an item of an experiment is such a one.
bool is_columns_item(const NamedSettings& item);
// REQUIRES: is_columns_item.
std::string columns_file(const NamedSettings& item);
// As read_columns_item reads it: {columns: "embeddings.npy", name: "embeddings"}. REQUIRES: is_columns_item.
std::string columns_flow_text(const NamedSettings& item);

// The item that lists this family: a heuristic with its settings, or a file of columns.
NamedSettings item_of(const FamilySpec& spec, std::string where);

}  // namespace mash
