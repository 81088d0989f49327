// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/experiment.hpp"

#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "framework/base/file.hpp"
#include "framework/base/number.hpp"
#include "framework/dataset/imported.hpp"
#include "framework/dataset/readers/usps.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/columns_item.hpp"
#include "framework/operations/experiment/missing_experiment.hpp"
#include "framework/operations/experiment/recipes.hpp"
#include "framework/operations/experiment/setting_value.hpp"
#include "framework/operations/experiment/yaml_document.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

// From one item of the list of heuristics: lists of values multiply.
constexpr std::size_t kMostFamilies = 1000;

constexpr std::array<std::string_view, 4> kValueKeys{"seed", "runs", "isolation", "patience"};
constexpr std::array<std::string_view, 10> kKeys{"dataset",   "heuristics", "booster", "weak",
                                                 "sampler",   "classifier", "seed",    "runs",
                                                 "isolation", "patience"};
constexpr std::array<std::string_view, 3> kBoosterKeys{"booster", "weak", "sampler"};

std::string place(const YamlSource& source, const YAML::Node& node) { return source.place(node.Mark()); }

std::string recipe_file(const Recipe& recipe) { return fmt::format("experiments/{}.yaml", recipe.name); }

// State of reading.
struct Draft {
  Experiment experiment;
  Settings values;  // the keys that are values
  ErrorList errors;

  // The value, or nothing where it is an error, which is kept.
  template <class T>
  std::optional<T> keep(Result<T> result) {
    if (result.ok()) return *std::move(result);
    errors.add(result.error());
    return std::nullopt;
  }
  void keep(const Status& status) {
    if (!status.ok()) errors.add(status.error());
  }
};

// One setting of a part. Errors (kInput): listed twice; its value is none.
Status read_pair(const YAML::Node& key_node, const YAML::Node& value, const YamlSource& source,
                 std::string_view what, NamedSettings& part) {
  const std::string key = key_node.Scalar();
  const std::string where = place(source, key_node);
  MASH_ASSIGN(const Settings given, read_setting(what, key, value, where, source));
  for (const Settings::Entry& entry : given.entries()) {
    if (part.settings.has(entry.key))
      return input_error("{}: {}: key '{}' is listed twice", entry.where, what, entry.key);
    part.settings.add(entry);
  }
  return Done{};
}

Status read_name(const YAML::Node& key_node, const YAML::Node& value, const YamlSource& source,
                 std::string_view what, NamedSettings& part) {
  const std::string key = key_node.Scalar();
  if (!part.name.empty())
    return input_error("{}: {}: key '{}' is listed twice", place(source, key_node), what, key);
  if (!value.IsScalar())
    return input_error("{}: {}.{}: found {}, expected one {}", place(source, value), what, key,
                       kind_of(value), key);
  part.name = value.Scalar();
  part.where = place(source, key_node);
  return Done{};
}

// "name: laminating" or "{name: laminating, budget: 10}"; name_key is "id" for heuristics. What is wrong with
// a setting is kept, and the part goes without it. Errors (kInput): there is no name, or it is none.
Result<NamedSettings> read_named(const YAML::Node& node, const YamlSource& source, std::string_view what,
                                 const char* name_key, Draft& draft) {
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
  Status named = Done{};
  for (const auto& pair : node)
    if (pair.first.Scalar() != name_key)
      draft.keep(read_pair(pair.first, pair.second, source, what, part));
    else if (named.ok())
      named = read_name(pair.first, pair.second, source, what, part);
  MASH_TRY(named);
  if (part.name.empty())
    return input_error("{}: {}: found no '{}', expected one", part.where, what, name_key);
  return part;
}

// Each family once for each value of the list: as many times more of them.
Status multiply(const YAML::Node& list, const std::string& key, const YamlSource& source,
                std::vector<NamedSettings>& families) {
  const std::string where = fmt::format("{}: heuristics.{}", place(source, list), key);
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
Result<std::vector<NamedSettings>> read_heuristic(const YAML::Node& item, const YamlSource& source,
                                                  Draft& draft) {
  if (is_columns_item(item)) {
    MASH_ASSIGN(NamedSettings columns, read_columns_item(item, source));
    return std::vector<NamedSettings>{std::move(columns)};
  }
  MASH_ASSIGN(auto first, read_named(item, source, "heuristics", "id", draft));
  if (has_given_columns(first.name))
    return input_error(
        "{}: heuristics: found the id '{}', expected {{columns: FILE, name: NAME}} for columns of a file",
        first.where, first.name);
  std::vector<NamedSettings> families{std::move(first)};
  if (!item.IsMap()) return families;
  for (const auto& pair : item) {
    const std::string key = pair.first.Scalar();
    if (!pair.second.IsSequence()) continue;
    if (!families.front().settings.has(key)) continue;  // what is wrong with it is known
    const Status multiplied = multiply(pair.second, key, source, families);
    if (multiplied.ok()) continue;
    draft.keep(multiplied);
    for (NamedSettings& family : families) family.settings.erase(key);
  }
  return families;
}

Status read_heuristics(const YAML::Node& node, const YamlSource& source, Draft& draft) {
  Experiment& experiment = draft.experiment;
  experiment.heuristics.clear();
  experiment.asks_for_heuristics = true;
  experiment.all_heuristics = node.IsScalar() && node.Scalar() == "all";
  if (experiment.all_heuristics) return Done{};
  if (!node.IsSequence() || node.size() == 0)
    return input_error(
        "{}: heuristics: found {}, expected 'all' or a list such as [{{id: hog, cell: 4}}, lbp]",
        place(source, node),
        node.IsScalar()     ? "'" + node.Scalar() + "'"
        : node.IsSequence() ? std::string("an empty list")
                            : std::string(kind_of(node)));
  for (const auto& item : node)
    if (item.IsScalar() && item.Scalar() == "all") {
      if (std::exchange(experiment.all_heuristics, true))
        draft.errors.add(input_error("{}: heuristics: 'all' is listed twice", place(source, item)));
    } else if (auto families = draft.keep(read_heuristic(item, source, draft)))
      std::move(families->begin(), families->end(), std::back_inserter(experiment.heuristics));
  return Done{};
}

// REQUIRES: the key of a part that has a name.
NamedSettings& part_of(Experiment& experiment, std::string_view key) {
  if (key == "dataset") return experiment.dataset;
  if (key == "booster") return experiment.booster;
  if (key == "classifier") return experiment.classifier;
  return key == "weak" ? experiment.weak : experiment.sampler;
}

bool is_value(std::string_view key) {
  return std::find(kValueKeys.begin(), kValueKeys.end(), key) != kValueKeys.end();
}

// The keys that are values: what they take, and where they go. What is not said stays as it is.
Status read_values(Settings& values, Experiment& experiment) {
  static const std::array kPlaces{Choice<Isolation>{to_string(Isolation::kNone), Isolation::kNone},
                                  Choice<Isolation>{to_string(Isolation::kProcess), Isolation::kProcess},
                                  Choice<Isolation>{to_string(Isolation::kBox), Isolation::kBox}};
  MASH_ASSIGN(const std::int64_t seed, values.integer("seed", std::int64_t(experiment.seed), 0, INT64_MAX));
  MASH_ASSIGN(const std::int64_t runs, values.integer("runs", experiment.runs, 1, 100'000));
  MASH_ASSIGN(experiment.isolation, values.one_of("isolation", experiment.isolation, kPlaces));
  MASH_ASSIGN(const std::int64_t patience, values.integer("patience", experiment.patience, 1, kMaxPatience));
  experiment.seed = std::uint64_t(seed);
  experiment.runs = std::uint32_t(runs);
  experiment.patience = std::uint32_t(patience);
  return Done{};
}

Status read_section(const std::string& key, const YAML::Node& value, const YamlSource& source, Draft& draft) {
  if (key == "heuristics") return read_heuristics(value, source, draft);
  if (is_value(key)) {
    if (!value.IsScalar())
      return input_error("{}: {}: found {}, expected {}", place(source, value), key, kind_of(value),
                         key == "isolation" ? "a name" : "a whole number");
    draft.values.add(key, value.Scalar(), place(source, value), source.origin);
    return Done{};
  }
  NamedSettings& part = part_of(draft.experiment, key);
  MASH_ASSIGN(part, read_named(value, source, key, "name", draft));
  return Done{};
}

// A classifier stands in the place of a booster with its parts.
void check_classifier_alone(Experiment& experiment, ErrorList& errors) {
  if (experiment.has_booster()) {
    for (const Settings::Entry& entry : experiment.classifier.settings.entries())
      errors.add(input_error("{}: classifier: found '{}' and no name, expected one", entry.where, entry.key));
    return;
  }
  for (const std::string_view key : kBoosterKeys) {
    const NamedSettings& part = part_of(experiment, key);
    const auto entries = part.settings.entries();
    const std::string& where = !part.where.empty() || entries.empty() ? part.where : entries.front().where;
    if (where.empty()) continue;
    errors.add(input_error("{}: {}: found beside classifier {} ({}), expected one or the other", where, key,
                           experiment.classifier.name, experiment.classifier.where));
  }
}

// Leaves the settings that came with other overrides, and says which were dropped.
void drop_settings_of_file(const std::string& where, NamedSettings& part, Experiment& experiment) {
  std::vector<std::string> dropped;
  for (const Settings::Entry& entry : part.settings.entries())
    if (entry.origin == Origin::kFile) dropped.push_back(fmt::format("{}: {}", entry.key, entry.value));
  part.settings.keep_only(Origin::kOverride);
  if (dropped.empty()) return;
  experiment.dropped.push_back(fmt::format("{}: what {} sets for {} no longer holds: {}", where,
                                           experiment.file, part.name, fmt::join(dropped, ", ")));
}

Status apply_override(const std::string& text, const std::string& called, Draft& draft) {
  MASH_ASSIGN(const Assignment assignment, parse_assignment(called, text));
  const auto& [path, value, where] = assignment;
  const auto dot = path.find('.');
  const std::string section = path.substr(0, dot);
  if (std::find(kKeys.begin(), kKeys.end(), section) == kKeys.end())
    return unknown_name("key", section, kKeys).at(where);
  const YamlSource source{where, Origin::kOverride};
  MASH_ASSIGN(const YAML::Node node, parse_setting_value(value, source));
  if (dot == std::string::npos) return read_section(section, node, source, draft);
  if (section == "heuristics" || is_value(section))
    return input_error("{}: {} has no keys; expected {}=value", where, section, section);
  NamedSettings& part = part_of(draft.experiment, section);
  const std::string key = path.substr(dot + 1);
  if (key != "name") {
    MASH_ASSIGN(const Settings given, read_setting(section, key, node, where, source));
    for (const Settings::Entry& entry : given.entries()) part.settings.add(entry);
    return Done{};
  }
  if (node.IsSequence() || node.IsMap())
    return input_error("{}: found {}, expected a name", where, kind_of(node));
  if (node.IsNull() || node.Scalar().empty())
    return input_error("{}: found an empty name, expected one", where);
  // Another part has other settings: those in the file were the former one's.
  if (node.Scalar() != part.name) drop_settings_of_file(where, part, draft.experiment);
  part.name = node.Scalar();
  part.where = where;
  part.origin = Origin::kOverride;
  return Done{};
}

bool names_file(std::string_view key, const Settings::Entry& entry) {
  const bool is_cost = key == "costs" && (entry.value == "random" || number_in<double>(entry.value));
  return entry.origin == Origin::kFile && !entry.items && !entry.value.empty() && !is_cost &&
         fs::path(entry.value).is_relative();
}

// Files that an experiment names are looked for beside it first. What is there is named by its whole way, so
// that records name it; those that the caller names are where the caller stands.
void look_beside(const fs::path& folder, std::string_view key, Settings& settings) {
  const auto found = std::ranges::find(settings.entries(), key, &Settings::Entry::key);
  if (folder.empty() || found == settings.entries().end() || !names_file(key, *found)) return;
  Settings::Entry entry = *found;
  const fs::path beside = (folder / entry.value).lexically_normal();
  std::error_code code;
  if (fs::exists(beside, code))
    entry.value = beside.string();
  else
    entry.folder = folder.string();
  settings.add(std::move(entry));
}

void apply(const Overrides& overrides, Draft& draft) {
  for (const std::string& one : overrides.texts) draft.keep(apply_override(one, overrides.called, draft));
}

void finish(Draft& draft) {
  check_classifier_alone(draft.experiment, draft.errors);
  Settings values = draft.values.for_checking();
  draft.keep(read_values(values, draft.experiment));
  for (const Error& problem : values.problems()) draft.errors.add(problem);
}

// {name: laminating, "budget": "10"}, keys in order: equal for equal parts.
std::string flow_text(const char* name_key, const NamedSettings& part) {
  YAML::Emitter yaml;
  yaml << YAML::Flow << YAML::BeginMap << YAML::Key << name_key << YAML::Value << part.name;
  std::vector<Settings::Entry> entries(part.settings.entries().begin(), part.settings.entries().end());
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  for (const auto& entry : entries) {
    yaml << YAML::Key << entry.key << YAML::Value << YAML::DoubleQuoted;
    if (!entry.items) {
      yaml << entry.value;
      continue;
    }
    yaml << YAML::BeginSeq;
    for (const std::string& item : *entry.items) yaml << YAML::DoubleQuoted << item;
    yaml << YAML::EndSeq;
  }
  yaml << YAML::EndMap;
  return yaml.c_str();
}

}  // namespace

Result<ExperimentDraft> draft_experiment(const std::string& text, const std::string& file,
                                         const Overrides& overrides) {
  const YamlSource source{file};
  MASH_ASSIGN(const YAML::Node root, parse_yaml(text, source));
  if (!root.IsMap())
    return input_error("{}: found {}, expected a mapping with dataset, heuristics, booster, sampler, ...",
                       file, kind_of(root));
  Draft draft{default_experiment(), {}, {}};
  draft.experiment.name = fs::path(file).stem().string();
  draft.experiment.file = file;
  std::vector<std::string> seen;
  for (const auto& pair : root) {
    const std::string key = pair.first.Scalar();
    const std::string where = place(source, pair.first);
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
      draft.errors.add(unknown_name("key", key, kKeys).at(where));
    else if (std::find(seen.begin(), seen.end(), key) != seen.end())
      draft.errors.add(input_error("{}: key '{}' is listed twice", where, key));
    else
      draft.keep(read_section(key, pair.second, source, draft));
    seen.push_back(key);
  }
  apply(overrides, draft);
  finish(draft);
  if (draft.experiment.dataset.name.empty() && std::find(seen.begin(), seen.end(), "dataset") == seen.end())
    draft.errors.add(input_error("{}: found no 'dataset', expected one", file));
  return ExperimentDraft{std::move(draft.experiment), std::move(draft.errors)};
}

Result<ExperimentDraft> draft_experiment(const fs::path& path, const Overrides& overrides) {
  std::error_code code;
  const bool is_name = !path.has_extension() && !path.has_parent_path() && !path.empty();
  if (is_name && !fs::exists(path, code)) {
    if (const Recipe* recipe = find_recipe(path.string()))
      return draft_experiment(std::string(recipe->text), recipe_file(*recipe), overrides);
  }
  const auto text = read_file(path, kMostTextBytes);
  if (!text.ok() && !fs::exists(path, code)) return missing_experiment(path, text.error());
  if (!text.ok()) return text.error();
  MASH_ASSIGN(ExperimentDraft draft, draft_experiment(*text, path.string(), overrides));
  for (const std::string_view key : {"path", "test_path", "list"})
    look_beside(path.parent_path(), key, draft.experiment.dataset.settings);
  look_beside(path.parent_path(), "costs", draft.experiment.booster.settings);
  for (NamedSettings& item : draft.experiment.heuristics)
    if (is_columns_item(item)) look_beside(path.parent_path(), kColumnsKey, item.settings);
  return draft;
}

Result<Experiment> parse_experiment(const std::string& text, const std::string& file,
                                    const Overrides& overrides) {
  MASH_ASSIGN(ExperimentDraft draft, draft_experiment(text, file, overrides));
  MASH_TRY(draft.errors.status(file));
  return std::move(draft.experiment);
}

Result<Experiment> parse_recipe(const Recipe& recipe, const Overrides& overrides) {
  return parse_experiment(std::string(recipe.text), recipe_file(recipe), overrides);
}

Result<Experiment> read_experiment(const fs::path& path, const Overrides& overrides) {
  MASH_ASSIGN(ExperimentDraft draft, draft_experiment(path, overrides));
  MASH_TRY(draft.errors.status(draft.experiment.file));
  return std::move(draft.experiment);
}

Experiment default_experiment() {
  Experiment experiment;
  experiment.booster.name = "adaboost.mh";
  experiment.weak.name = "stump";
  experiment.sampler.name = "laminating";
  return experiment;
}

Status check_has_booster(const Experiment& experiment, std::string_view purpose) {
  if (experiment.has_booster()) return Done{};
  return input_error("classifier {}: {}, expected an experiment with a booster", experiment.classifier.name,
                     purpose)
      .at(experiment.classifier.where);
}

Result<Experiment> with_overrides(Experiment experiment, const Overrides& overrides) {
  Draft draft{std::move(experiment), {}, {}};
  apply(overrides, draft);
  finish(draft);
  MASH_TRY(draft.errors.status(draft.experiment.file));
  return std::move(draft.experiment);
}

std::vector<Settings::Known> experiment_values() {
  Settings none;
  Experiment experiment;
  (void)read_values(none, experiment);
  return {none.known().begin(), none.known().end()};
}

void put_learner(const Experiment& experiment, nlohmann::ordered_json& json) {
  json["learner"] = experiment.learner().name;
  if (!experiment.has_booster()) return;
  json["booster"] = experiment.booster.name;
  json["sampler"] = experiment.sampler.name;
  json["weak"] = experiment.weak.name;
}

std::string describe_part(const NamedSettings& part) {
  std::string text = part.name;
  for (const auto& entry : part.settings.entries()) text += fmt::format(", {} {}", entry.key, entry.value);
  return text;
}

Settings dataset_settings(const Experiment& experiment) {
  Settings settings = experiment.dataset.settings;
  const auto imported = find_imported(experiment.dataset.name);
  const bool is_imported = imported.ok() && imported->has_value();
  if ((is_imported ? (*imported)->format : experiment.dataset.name) != "usps") return settings;
  if (!(is_imported ? settings_of(**imported, settings) : settings).has("form"))
    settings.add("form", experiment.asks_for_heuristics ? std::string(kPictures) : "columns",
                 experiment.dataset.where);
  return settings;
}

std::string to_yaml(const Experiment& experiment) {
  std::string yaml;
  NamedSettings dataset = experiment.dataset;
  dataset.settings = dataset_settings(experiment);
  yaml += "dataset: " + flow_text("name", dataset) + "\n";
  if (experiment.all_heuristics && experiment.heuristics.empty()) {
    yaml += "heuristics: all\n";
  } else {
    yaml += experiment.all_heuristics ? "heuristics:\n  - all\n" : "heuristics:\n";
    std::vector<std::string> lines;
    for (const NamedSettings& heuristic : experiment.heuristics)
      lines.push_back(
          "  - " + (is_columns_item(heuristic) ? columns_flow_text(heuristic) : flow_text("id", heuristic)) +
          "\n");
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) yaml += line;
  }
  if (experiment.has_booster()) {
    yaml += "booster: " + flow_text("name", experiment.booster) + "\n";
    yaml += "weak: " + flow_text("name", experiment.weak) + "\n";
    yaml += "sampler: " + flow_text("name", experiment.sampler) + "\n";
  } else {
    yaml += "classifier: " + flow_text("name", experiment.classifier) + "\n";
  }
  if (experiment.isolation != Isolation::kByOrigin)
    yaml += fmt::format("isolation: {}\n", to_string(experiment.isolation));
  if (experiment.patience != 1) yaml += fmt::format("patience: {}\n", experiment.patience);
  return yaml + fmt::format("seed: {}\nruns: {}\n", experiment.seed, experiment.runs);
}

}  // namespace mash
