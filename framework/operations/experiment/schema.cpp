// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/schema.hpp"

#include <nlohmann/json.hpp>

#include "framework/base/bounded_json.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/experiment/keys.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Settings::Kind;

// Editors compute in doubles: whole numbers beyond this have no neighbours.
constexpr double kMostExact = 9007199254740991.0;  // 2^53 - 1

// A text as YAML reads it without quotes: a number, a truth value, or a text.
Json plain_value(const std::string& text) {
  const auto value = parse_json<Json>(text);
  return value.ok() && (value->is_number() || value->is_boolean()) ? *value : Json(text);
}

// The words, and what YAML makes of them without quotes: 3 as well as "3".
Json words_json(const std::vector<std::string>& words) {
  Json list = Json::array();
  for (const std::string& word : words) {
    list.push_back(word);
    if (plain_value(word) != Json(word)) list.push_back(plain_value(word));
  }
  return list;
}

Json number_json(std::string_view type, double minimum, double maximum) {
  const bool is_whole = type == "integer";
  Json json{{"type", type}, {"minimum", is_whole ? Json(std::int64_t(minimum)) : Json(minimum)}};
  if (maximum < kMostExact) json["maximum"] = is_whole ? Json(std::int64_t(maximum)) : Json(maximum);
  return json;
}

Json scalar_json() { return {{"type", {"string", "number", "boolean"}}}; }

Json kind_json(const Settings::Known& takes) {
  switch (takes.kind) {
    case Kind::kInteger: return number_json("integer", takes.minimum, takes.maximum);
    case Kind::kReal: return number_json("number", takes.minimum, takes.maximum);
    case Kind::kBoolean: return {{"type", "boolean"}};
    case Kind::kChoice: return {{"enum", words_json(takes.words)}};
    case Kind::kText: return scalar_json();
    case Kind::kList: return {{"anyOf", {scalar_json(), {{"type", "array"}, {"items", scalar_json()}}}}};
    case Kind::kAmount:
      return {{"anyOf",
               {{{"type", "integer"}, {"minimum", 1}},
                {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}},
                {{"type", "string"}, {"pattern", "^[1-9][0-9]* per class$"}}}}};
  }
  return {};
}

void put_default(const Settings::Known& takes, Json& json) {
  if (!has_default(takes)) return;
  const Json value = plain_value(takes.fallback);
  json["default"] = takes.kind == Kind::kText || takes.kind == Kind::kChoice ? Json(takes.fallback) : value;
}

Json key_json(const ExperimentKey& key) {
  const bool takes_words_too = !key.takes.words.empty() && key.takes.kind != Kind::kChoice;
  Json json = takes_words_too
                  ? Json{{"anyOf", {{{"enum", words_json(key.takes.words)}}, kind_json(key.takes)}}}
                  : kind_json(key.takes);
  put_default(key.takes, json);
  if (key.meaning) {
    json["description"] = key.meaning->meaning;
    if (key.takes.kind != Kind::kList)
      json["examples"] = Json::array({plain_value(std::string(key.meaning->example))});
  }
  return json;
}

// `resize.width` as a key of the mapping that `resize` may be too.
void put_nested(const ExperimentKey& key, Json& properties) {
  const auto dot = key.takes.key.find('.');
  if (dot == std::string::npos) return;
  Json& outer = properties[key.takes.key.substr(0, dot)];
  if (!outer.contains("anyOf"))
    outer = {{"anyOf", {outer, {{"type", "object"}, {"additionalProperties", false}}}}};
  outer["anyOf"][1]["properties"][key.takes.key.substr(dot + 1)] = key_json(key);
}

Json part_json(const ExperimentPart& part) {
  Json json{{"title", part.name}, {"description", part.summary}, {"type", "object"}};
  json["required"] = Json::array({"name"});
  json["additionalProperties"] = false;
  json["properties"]["name"] = {{"const", part.name}};
  for (const ExperimentKey& key : part.keys) {
    json["properties"][key.takes.key] = key_json(key);
    put_nested(key, json["properties"]);
    if (key.required) json["required"].push_back(key.takes.key);
  }
  return json;
}

// A section: a name alone, where the part needs nothing else, or a mapping.
Json section_json(std::string_view section, std::span<const ExperimentPart> parts) {
  Json names = Json::array(), mappings = Json::array();
  for (const ExperimentPart& part : parts) {
    if (part.section != section) continue;
    mappings.push_back(part_json(part));
    if (mappings.back()["required"].size() == 1) names.push_back(part.name);
  }
  Json json{{"anyOf", {{{"enum", std::move(names)}}}}};
  for (Json& mapping : mappings) json["anyOf"].push_back(std::move(mapping));
  return json;
}

Settings::Known known_of(const ParameterInfo& parameter) {
  Settings::Known known{parameter.id,     "", Kind::kChoice, parameter.minimum, parameter.maximum,
                        parameter.choices};
  if (parameter.type == ParameterInfo::Type::kChoice) {
    known.fallback = parameter.choices.at(std::size_t(parameter.default_value));
  } else {
    known.kind = parameter.type == ParameterInfo::Type::kReal ? Kind::kReal : Kind::kInteger;
    known.fallback = fmt::format("{}", parameter.default_value);
  }
  return known;
}

// A value, or a list of them, which makes a family for each.
Json one_or_several(const Json& value) {
  return {{"anyOf", {value, {{"type", "array"}, {"minItems", 1}, {"uniqueItems", true}, {"items", value}}}}};
}

Json heuristic_json(const HeuristicInfo& heuristic) {
  Json json{{"title", heuristic.id}, {"description", heuristic.summary}, {"type", "object"}};
  json["required"] = Json::array({"id"});
  json["additionalProperties"] = false;
  json["properties"]["id"] = {{"const", heuristic.id}};
  for (const ParameterInfo& parameter : heuristic.parameters) {
    const Settings::Known known = known_of(parameter);
    Json value = one_or_several(kind_json(known));
    put_default(known, value);
    value["description"] = parameter.summary;
    json["properties"][parameter.id] = std::move(value);
  }
  return json;
}

// {columns: embeddings.npy, name: embeddings}
Json columns_json() {
  Json json{{"title", "columns"},
            {"description", "the columns of a NumPy file, with a row for each picture of the data set"},
            {"type", "object"}};
  json["required"] = Json::array({"columns"});
  json["additionalProperties"] = false;
  json["properties"]["columns"] = {{"type", "string"}, {"minLength", 1}, {"description", "the file"}};
  json["properties"]["name"] = {
      {"type", "string"},
      {"pattern", "^[A-Za-z0-9_.-]{1,64}$"},
      {"description", "what follows 'columns:' in its name; without it the file's name"}};
  return json;
}

Json items_json(std::span<const HeuristicInfo> heuristics) {
  if (heuristics.empty())
    return {{"anyOf",
             {{{"type", "string"}, {"minLength", 1}},
              columns_json(),
              {{"type", "object"},
               {"required", Json::array({"id"})},
               {"properties", {{"id", {{"type", "string"}, {"minLength", 1}}}}},
               {"additionalProperties", one_or_several(scalar_json())}}}}};
  Json ids = Json::array({"all"});
  for (const HeuristicInfo& heuristic : heuristics) ids.push_back(heuristic.id);
  Json json{{"anyOf", {{{"enum", std::move(ids)}}}}};
  json["anyOf"].push_back(columns_json());
  for (const HeuristicInfo& heuristic : heuristics) json["anyOf"].push_back(heuristic_json(heuristic));
  return json;
}

Json heuristics_json(std::span<const HeuristicInfo> heuristics) {
  return {{"anyOf",
           {{{"const", "all"}}, {{"type", "array"}, {"minItems", 1}, {"items", items_json(heuristics)}}}},
          {"default", "all"}};
}

}  // namespace

Json experiment_schema(std::span<const HeuristicInfo> heuristics) {
  const std::vector<ExperimentPart> parts = experiment_parts();
  const Experiment usual = default_experiment();
  Json json{{"$schema", "http://json-schema.org/draft-07/schema#"},
            {"title", "Experiment file of mash " MASH_VERSION},
            {"type", "object"},
            {"required", Json::array({"dataset"})},
            {"additionalProperties", false}};
  Json& keys = json["properties"];
  keys["dataset"] = section_json("dataset", parts);
  keys["heuristics"] = heuristics_json(heuristics);
  const auto add = [&](const char* section, const NamedSettings& part) {
    keys[section] = section_json(section, parts);
    keys[section]["default"] = part.name;
  };
  add("booster", usual.booster);
  add("weak", usual.weak);
  add("sampler", usual.sampler);
  keys["classifier"] = section_json("classifier", parts);
  // It stands in the place of these.
  for (const char* key : {"booster", "weak", "sampler"})
    json["dependencies"][key] = {{"not", {{"required", Json::array({"classifier"})}}}};
  for (auto& [key, value] : keys.items())
    if (const KeyMeaning* meaning = find_key_meaning("", "", key)) value["description"] = meaning->meaning;
  for (const ExperimentKey& key : experiment_value_keys()) keys[key.takes.key] = key_json(key);
  return json;
}

}  // namespace mash
