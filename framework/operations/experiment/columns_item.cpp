// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/columns_item.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "framework/base/require.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/operations/experiment/setting_value.hpp"

namespace mash {
namespace {

constexpr const char* kNameKey = "name";
constexpr std::array<std::string_view, 2> kColumnsItemKeys{kColumnsKey, kNameKey};

}  // namespace

Result<NamedSettings> columns_item(const std::string& file, const std::string& name, std::string where,
                                   Origin origin) {
  if (file.empty())
    return input_error("{}: found no file of columns, expected one, such as embeddings.npy", where);
  if (!name.empty() && !is_columns_name(name))
    return input_error("{}: name: found '{}', expected at most 64 letters, digits, '_', '-' and '.'", where,
                       name);
  NamedSettings item;
  item.name = name.empty() ? columns_id(file) : std::string(kGivenColumns) + name;
  item.settings.add(kColumnsKey, file, where, origin);
  item.where = std::move(where);
  item.origin = origin;
  return item;
}

bool is_columns_item(const YAML::Node& item) {
  return item.IsMap() && item[kColumnsKey].IsDefined() && !item["id"].IsDefined();
}

Result<NamedSettings> read_columns_item(const YAML::Node& item, const YamlSource& source) {
  std::string file, name;
  for (const auto& pair : item) {
    const std::string key = pair.first.Scalar();
    const std::string where = source.place(pair.first.Mark());
    if (std::ranges::find(kColumnsItemKeys, key) == kColumnsItemKeys.end())
      return unknown_name("key", key, kColumnsItemKeys).at(fmt::format("{}: heuristics", where));
    const bool is_scalar = pair.second.IsScalar();
    if (!is_scalar || pair.second.Scalar().empty())
      return input_error("{}: heuristics.{}: found {}, expected one {}", where, key,
                         is_scalar ? "an empty text" : kind_of(pair.second),
                         key == kNameKey ? "name" : "file");
    std::string& value = key == kNameKey ? name : file;
    if (!value.empty()) return input_error("{}: heuristics: key '{}' is listed twice", where, key);
    value = pair.second.Scalar();
  }
  return columns_item(file, name, source.place(item.Mark()), source.origin);
}

bool is_columns_item(const NamedSettings& item) {
  return has_given_columns(item.name) && item.settings.has(kColumnsKey);
}

std::string columns_file(const NamedSettings& item) {
  const auto file = item.settings.peek(kColumnsKey);
  require(file.has_value(), "columns_file: an item with a file of columns");
  return *file;
}

std::string columns_flow_text(const NamedSettings& item) {
  const std::string file = columns_file(item);
  YAML::Emitter yaml;
  yaml << YAML::Flow << YAML::BeginMap << YAML::Key << kColumnsKey << YAML::Value << YAML::DoubleQuoted
       << file;
  if (item.name != columns_id(file))
    yaml << YAML::Key << kNameKey << YAML::Value << YAML::DoubleQuoted
         << item.name.substr(kGivenColumns.size());
  yaml << YAML::EndMap;
  return yaml.c_str();
}

NamedSettings item_of(const FamilySpec& spec, std::string where) {
  if (!has_given_columns(spec.heuristic.id))
    return {spec.heuristic.id, parameter_settings(spec.heuristic, spec.values), std::move(where)};
  NamedSettings item{spec.heuristic.id, {}, where};
  item.settings.add(kColumnsKey, spec.heuristic.plugin.string(), std::move(where));
  return item;
}

}  // namespace mash
