// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/setting_value.hpp"

namespace mash {
namespace {

// The keys of a mapping, as `resize.width`.
Result<Settings> read_nested(std::string_view whose, const std::string& within, const YAML::Node& node,
                             const YamlSource& source) {
  if (node.size() == 0)
    return input_error("{}: {}.{}: found an empty mapping, expected keys", source.place(node.Mark()), whose,
                       within);
  Settings settings;
  for (const auto& pair : node) {
    const std::string key = within + "." + pair.first.Scalar();
    const std::string where = source.place(pair.first.Mark());
    if (settings.has(key)) return input_error("{}: {}: key '{}' is listed twice", where, whose, key);
    MASH_ASSIGN(const Settings given, read_setting(whose, key, pair.second, where, source));
    for (const Settings::Entry& entry : given.entries()) settings.add(entry);
  }
  return settings;
}

}  // namespace

std::string_view kind_of(const YAML::Node& node) {
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  return node.IsNull() ? "nothing" : "a value";
}

Result<YAML::Node> parse_setting_value(const std::string& value, const YamlSource& source) {
  const auto line = parse_yaml("value: " + value, source);
  if (line.ok()) return (*line)["value"];
  constexpr std::string_view kOpening = "\"'[{";
  if (value.empty() || kOpening.find(value[0]) != std::string_view::npos) return line.error();
  return input_error("{}; a text that is to be taken as it is stands in quotes: \"{}\"", line.error().message,
                     value);
}

Result<Settings> read_setting(std::string_view whose, const std::string& key, const YAML::Node& node,
                              const std::string& where, const YamlSource& source) {
  if (node.IsMap() && whose == "dataset" && key == "resize") return read_nested(whose, key, node, source);
  const std::string place = fmt::format("{}: {}.{}", where, whose, key);
  if (node.IsNull())
    return input_error("{}: found nothing, expected a value; an empty text is written \"\"", place);
  if (node.IsMap()) return input_error("{}: found a mapping, expected a value", place);
  Settings setting;
  if (node.IsScalar()) {
    setting.add(key, node.Scalar(), where, source.origin);
    return setting;
  }
  std::vector<std::string> items;
  for (const auto& item : node) {
    if (!item.IsScalar())
      return input_error("{}: found {} in the list, expected a value", place, kind_of(item));
    items.push_back(item.Scalar());
  }
  setting.add_list(key, std::move(items), where, source.origin);
  return setting;
}

Result<Settings> parse_dataset_settings(const Overrides& given) {
  constexpr std::string_view kPart = "dataset.";
  Settings settings;
  for (const std::string& text : given.texts) {
    MASH_ASSIGN(const Assignment one, parse_assignment(given.called, text));
    const std::string key = one.key.starts_with(kPart) ? one.key.substr(kPart.size()) : one.key;
    const std::string part = one.key.substr(0, one.key.find('.'));
    if (key == "name" || part == "booster" || part == "weak" || part == "sampler" || part == "classifier")
      return input_error("{}: expected a setting of the data set, such as dataset.path=pictures", one.where);
    const YamlSource source{one.where, Origin::kOverride};
    MASH_ASSIGN(const YAML::Node node, parse_setting_value(one.value, source));
    MASH_ASSIGN(const Settings read, read_setting("dataset", key, node, one.where, source));
    for (const Settings::Entry& entry : read.entries()) settings.add(entry);
  }
  return settings;
}

}  // namespace mash
