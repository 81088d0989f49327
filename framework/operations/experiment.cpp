// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "framework/base/file.hpp"
#include "framework/operations/missing_experiment.hpp"
#include "framework/operations/plugins.hpp"
#include "framework/operations/recipes.hpp"
#include "framework/operations/yaml_document.hpp"

namespace mash {
namespace {

// From one item of the list of heuristics: lists of values multiply.
constexpr std::size_t kMostFamilies = 1000;

constexpr std::array<std::string_view, 9> kKeys{"dataset", "heuristics", "booster",   "weak",    "sampler",
                                                "seed",    "runs",       "isolation", "patience"};

std::string place(const YamlSource& source, const YAML::Node& node) { return source.place(node.Mark()); }

std::string_view kind_of(const YAML::Node& node) {
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  return node.IsNull() ? "nothing" : "a value";
}

// A value, or a list of values joined by commas.
Result<std::string> read_value(const YAML::Node& node, const std::string& where) {
  if (node.IsScalar()) return node.Scalar();
  std::string joined;
  for (std::size_t i = 0; node.IsSequence() && i < node.size(); ++i) {
    if (!node[i].IsScalar())
      return input_error("{}: found {} in the list, expected a value", where, kind_of(node[i]));
    joined += (i ? "," : "") + node[i].Scalar();
  }
  if (!node.IsSequence()) return input_error("{}: found {}, expected a value", where, kind_of(node));
  return joined;
}

// "name: laminating" or "{name: laminating, budget: 10}"; name_key is "id" for heuristics.
Result<NamedSettings> read_named(const YAML::Node& node, const YamlSource& source, std::string_view what,
                                 const char* name_key) {
  NamedSettings part;
  part.where = place(source, node);
  part.origin = source.origin;
  if (node.IsScalar()) {
    part.name = node.Scalar();
    if (part.name.empty()) return input_error("{}: {}: found an empty name, expected one", part.where, what);
    return part;
  }
  if (!node.IsMap())
    return input_error("{}: {}: found {}, expected a mapping with {}", part.where, what, kind_of(node),
                       name_key);
  for (const auto& pair : node) {
    const std::string key = pair.first.Scalar();
    const std::string where = place(source, pair.first);
    MASH_ASSIGN(const std::string value, read_value(pair.second, fmt::format("{}: {}.{}", where, what, key)));
    if (part.settings.has(key) || (key == name_key && !part.name.empty()))
      return input_error("{}: {}: key '{}' is listed twice", where, what, key);
    if (key == name_key) {
      part.name = value;
      part.where = where;
    } else {
      part.settings.add(key, value, where, source.origin);
    }
  }
  if (part.name.empty())
    return input_error("{}: {}: found no '{}', expected one", part.where, what, name_key);
  return part;
}

// Each family once for each value of the list: as many times more of them.
Status multiply(const YAML::Node& list, const std::string& key, const YamlSource& source,
                std::vector<NamedSettings>& families) {
  const std::string where = fmt::format("{}: heuristics.{}", place(source, list), key);
  if (key == "id") return input_error("{}: found a list, expected one id", where);
  if (list.size() == 0) return input_error("{}: found an empty list, expected values", where);
  if (families.size() * list.size() > kMostFamilies)
    return input_error("{}: the lists of values give more than {} families", where, kMostFamilies);
  std::vector<NamedSettings> multiplied;
  for (const NamedSettings& family : families)
    for (const auto& value : list) {
      if (std::count_if(list.begin(), list.end(),
                        [&](const auto& other) { return other.Scalar() == value.Scalar(); }) > 1)
        return input_error("{}: heuristics.{}: '{}' is listed twice", place(source, value), key,
                           value.Scalar());
      multiplied.push_back(family);
      multiplied.back().settings.add(key, value.Scalar(), place(source, value), source.origin);
    }
  families = std::move(multiplied);
  return Done{};
}

// The families of one item: where settings are lists of values, one for each combination.
Result<std::vector<NamedSettings>> read_heuristic(const YAML::Node& item, const YamlSource& source) {
  MASH_ASSIGN(auto first, read_named(item, source, "heuristics", "id"));
  std::vector<NamedSettings> families{std::move(first)};
  for (const auto& pair : item)
    if (item.IsMap() && pair.second.IsSequence())
      MASH_TRY(multiply(pair.second, pair.first.Scalar(), source, families));
  return families;
}

Status read_heuristics(const YAML::Node& node, const YamlSource& source, Experiment& experiment) {
  experiment.heuristics.clear();
  experiment.all_heuristics = node.IsScalar() && node.Scalar() == "all";
  if (experiment.all_heuristics) return Done{};
  if (!node.IsSequence() || node.size() == 0)
    return input_error(
        "{}: heuristics: found {}, expected 'all' or a list such as [{{id: hog, cell: 4}}, lbp]",
        place(source, node), node.IsScalar() ? "'" + node.Scalar() + "'" : std::string(kind_of(node)));
  for (const auto& item : node) {
    MASH_ASSIGN(auto families, read_heuristic(item, source));
    std::move(families.begin(), families.end(), std::back_inserter(experiment.heuristics));
  }
  return Done{};
}

Status read_number(const YAML::Node& node, const YamlSource& source, const char* key, std::int64_t minimum,
                   std::int64_t maximum, std::int64_t& number) {
  if (!node.IsScalar())
    return input_error("{}: {}: found {}, expected a whole number", place(source, node), key, kind_of(node));
  Settings one;
  one.add(key, node.Scalar(), place(source, node));
  MASH_ASSIGN(number, one.integer(key, 0, minimum, maximum));
  return Done{};
}

// REQUIRES: the key of a part that has a name.
NamedSettings& part_of(Experiment& experiment, std::string_view key) {
  if (key == "dataset") return experiment.dataset;
  if (key == "booster") return experiment.booster;
  return key == "weak" ? experiment.weak : experiment.sampler;
}

Status read_section(const std::string& key, const YAML::Node& value, const YamlSource& source,
                    Experiment& experiment) {
  if (key == "heuristics") return read_heuristics(value, source, experiment);
  if (key == "seed" || key == "runs") {
    std::int64_t number = 0;
    MASH_TRY(read_number(value, source, key.c_str(), key == "runs" ? 1 : 0,
                         key == "runs" ? 100'000 : INT64_MAX, number));
    if (key == "seed") experiment.seed = std::uint64_t(number);
    if (key == "runs") experiment.runs = std::uint32_t(number);
    return Done{};
  }
  if (key == "patience") {
    std::int64_t number = 0;
    MASH_TRY(read_number(value, source, "patience", 1, kMaxPatience, number));
    experiment.patience = std::uint32_t(number);
    return Done{};
  }
  if (key == "isolation") {
    if (!value.IsScalar())
      return input_error("{}: isolation: found {}, expected a name", place(source, value), kind_of(value));
    const auto isolation = isolation_named(value.Scalar());
    if (!isolation.ok()) return isolation.error().at(place(source, value));
    experiment.isolation = *isolation;
    return Done{};
  }
  NamedSettings& part = part_of(experiment, key);
  MASH_ASSIGN(part, read_named(value, source, key, "name"));
  return Done{};
}

Status apply_override(const std::string& text, const std::string& called, Experiment& experiment) {
  MASH_ASSIGN(const Assignment assignment, parse_assignment(called, text));
  const auto& [path, value, where] = assignment;
  const auto dot = path.find('.');
  const std::string section = path.substr(0, dot);
  if (std::find(kKeys.begin(), kKeys.end(), section) == kKeys.end())
    return unknown_name("key", section, kKeys).at(where);
  if (dot == std::string::npos) {
    const YamlSource source{where, Origin::kOverride};
    MASH_ASSIGN(const YAML::Node node, parse_yaml(value, source));
    return read_section(section, node, source, experiment);
  }
  if (section == "heuristics" || section == "seed" || section == "runs" || section == "isolation" ||
      section == "patience")
    return input_error("{}: {} has no keys; expected {}=value", where, section, section);
  NamedSettings& part = part_of(experiment, section);
  const std::string key = path.substr(dot + 1);
  if (key == "name") {
    if (value.empty()) return input_error("{}: found an empty name, expected one", where);
    // Another part has other settings: those in the file were the former one's.
    if (value != part.name) part.settings = Settings();
    part.name = value;
    part.where = where;
    part.origin = Origin::kOverride;
  } else {
    part.settings.add(key, value, where, Origin::kOverride);
  }
  return Done{};
}

// {name: laminating, "budget": "10"}, keys in order: equal for equal parts.
std::string flow_text(const char* name_key, const NamedSettings& part) {
  YAML::Emitter yaml;
  yaml << YAML::Flow << YAML::BeginMap << YAML::Key << name_key << YAML::Value << part.name;
  std::vector<Settings::Entry> entries(part.settings.entries().begin(), part.settings.entries().end());
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  for (const auto& entry : entries)
    yaml << YAML::Key << entry.key << YAML::Value << YAML::DoubleQuoted << entry.value;
  yaml << YAML::EndMap;
  return yaml.c_str();
}

}  // namespace

Result<Experiment> parse_experiment(const std::string& text, const std::string& file,
                                    const Overrides& overrides) {
  const YamlSource source{file};
  MASH_ASSIGN(const YAML::Node root, parse_yaml(text, source));
  if (!root.IsMap())
    return input_error("{}: found {}, expected a mapping with dataset, heuristics, booster, sampler, ...",
                       file, kind_of(root));
  Experiment experiment;
  experiment.name = std::filesystem::path(file).stem().string();
  experiment.booster.name = "adaboost.mh";
  experiment.weak.name = "stump";
  experiment.sampler.name = "laminating";
  std::vector<std::string> seen;
  for (const auto& pair : root) {
    const std::string key = pair.first.Scalar();
    const std::string where = place(source, pair.first);
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
      return unknown_name("key", key, kKeys).at(where);
    if (std::find(seen.begin(), seen.end(), key) != seen.end())
      return input_error("{}: key '{}' is listed twice", where, key);
    seen.push_back(key);
    MASH_TRY(read_section(key, pair.second, source, experiment));
  }
  for (const std::string& one : overrides.texts) MASH_TRY(apply_override(one, overrides.called, experiment));
  if (experiment.dataset.name.empty()) return input_error("{}: found no 'dataset', expected one", file);
  return experiment;
}

Result<Experiment> parse_recipe(const Recipe& recipe, const Overrides& overrides) {
  return parse_experiment(std::string(recipe.text), fmt::format("experiments/{}.yaml", recipe.name),
                          overrides);
}

Result<Experiment> read_experiment(const std::filesystem::path& path, const Overrides& overrides) {
  std::error_code code;
  const bool is_name = !path.has_extension() && !path.has_parent_path() && !path.empty();
  if (is_name && !std::filesystem::exists(path, code)) {
    if (const Recipe* recipe = find_recipe(path.string())) return parse_recipe(*recipe, overrides);
  }
  const auto text = read_file(path);
  if (!text.ok() && !std::filesystem::exists(path, code)) return missing_experiment(path, text.error());
  if (!text.ok()) return text.error();
  return parse_experiment(*text, path.string(), overrides);
}

std::string describe_part(const NamedSettings& part) {
  std::string text = part.name;
  for (const auto& entry : part.settings.entries()) text += fmt::format(", {} {}", entry.key, entry.value);
  return text;
}

std::string to_yaml(const Experiment& experiment) {
  std::string yaml;
  yaml += "dataset: " + flow_text("name", experiment.dataset) + "\n";
  if (experiment.all_heuristics) {
    yaml += "heuristics: all\n";
  } else {
    yaml += "heuristics:\n";
    std::vector<std::string> lines;
    for (const NamedSettings& heuristic : experiment.heuristics)
      lines.push_back("  - " + flow_text("id", heuristic) + "\n");
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) yaml += line;
  }
  yaml += "booster: " + flow_text("name", experiment.booster) + "\n";
  yaml += "weak: " + flow_text("name", experiment.weak) + "\n";
  yaml += "sampler: " + flow_text("name", experiment.sampler) + "\n";
  if (experiment.isolation != Isolation::kByOrigin)
    yaml += fmt::format("isolation: {}\n", to_string(experiment.isolation));
  if (experiment.patience != 1) yaml += fmt::format("patience: {}\n", experiment.patience);
  return yaml + fmt::format("seed: {}\nruns: {}\n", experiment.seed, experiment.runs);
}

}  // namespace mash
