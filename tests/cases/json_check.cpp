// SPDX-License-Identifier: Apache-2.0
#include "tests/cases/json_check.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "framework/base/number.hpp"
#include "tests/cases/case_file.hpp"

namespace mash::cases {
namespace {

using Json = nlohmann::json;

// The value at "a.0.b" below `json`; with "*", the list of what stands there for each item.
std::optional<Json> value_at(const Json& json, const std::string& key) {
  if (key.empty()) return json;
  const auto dot = std::min(key.find('.'), key.size());
  const std::string part = key.substr(0, dot), rest = key.substr(std::min(dot + 1, key.size()));
  if (part == "#") return json.is_array() ? std::optional<Json>(json.size()) : std::nullopt;
  if (part == "*") {
    Json all = Json::array();
    for (const Json& item : json) {
      const auto value = value_at(item, rest);
      if (!value) return std::nullopt;
      all.push_back(*value);
    }
    return all;
  }
  if (json.is_object() && json.contains(part)) return value_at(json[part], rest);
  const auto index = number_in<std::size_t>(part);
  if (json.is_array() && index && *index < json.size()) return value_at(json[*index], rest);
  return std::nullopt;
}

bool holds(const Json& value, char comparison, const Json& expected) {
  if (comparison == '=') return value == expected;
  if (!value.is_number()) return false;
  return comparison == '<' ? value.get<double>() < expected.get<double>()
                           : value.get<double>() > expected.get<double>();
}

std::string check_line(const Json& json, const std::string& line) {
  if (line.starts_with("no "))
    return value_at(json, trimmed(line.substr(3))) ? fmt::format("{}: it is there\n", line) : "";
  for (const char comparison : {'=', '<', '>'}) {
    const auto sides = split_at(line, fmt::format(" {} ", comparison));
    if (sides.size() == 1) continue;
    const auto value = value_at(json, sides[0]);
    if (!value) return fmt::format("{}: found nothing\n", line);
    return holds(*value, comparison, Json::parse(sides[1]))
               ? ""
               : fmt::format("{}: found {}\n", line, value->dump());
  }
  return value_at(json, trimmed(line)) ? "" : fmt::format("{}: found nothing\n", line);
}

}  // namespace

std::string check_json(const std::string& text, const std::vector<std::string>& lines) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return "stdout is not one JSON document:\n" + text;
  std::string wrong;
  for (const std::string& line : lines)
    if (!trimmed(line).empty()) wrong += check_line(json, line);
  return wrong;
}

}  // namespace mash::cases
