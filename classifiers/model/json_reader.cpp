// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/json_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxDepth = 32;  // a model is 5 deep; to print a very deep value would use up the stack

// The beginning of a value's text.
std::string excerpt(const Json& value) { return printable(value.dump(), 40); }

// byte: counted from 1, where the parser gave up.
Error not_json(std::string_view text, std::size_t byte) {
  const std::size_t at = std::min(byte > 0 ? byte - 1 : 0, text.size());
  if (at == text.size())
    return input_error("not a JSON document: it ends in the middle, expected a whole model file");
  const std::string_view before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = at - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return input_error("not a JSON document: line {}, column {}: found '{}', expected a model file", line,
                     column, printable(text.substr(at, 20)));
}

}  // namespace

Result<Json> parse_model_json(std::string_view text) {
  if (const std::size_t prefix = utf8_prefix(text); prefix < text.size())
    return input_error("not a JSON document: found the byte {:#04x} at offset {}, expected UTF-8 text",
                       static_cast<unsigned char>(text[prefix]), prefix);
  bool too_deep = false;
  const auto check_depth = [&](int depth, Json::parse_event_t, Json&) {
    too_deep |= depth > kMaxDepth;
    return !too_deep;
  };
  try {
    Json document = Json::parse(text, check_depth);
    if (too_deep) return input_error("found values nested more than {} deep, expected a model", kMaxDepth);
    return document;
  } catch (const Json::parse_error& error) {
    return not_json(text, error.byte);
  } catch (const Json::exception&) {
    return input_error(
        "not a JSON document of ours: found a number that is too large, expected a model file");
  }
}

JsonReader::JsonReader(const Json& object, std::string place) : object_(object), place_(std::move(place)) {
  if (!object.is_object()) fail("", "an object");
}

std::string JsonReader::text(const char* key) {
  const Json* value = find(key);
  if (!value || !value->is_string()) return fail(key, "a text"), std::string();
  return value->get<std::string>();
}

std::uint32_t JsonReader::count(const char* key, std::uint64_t maximum) {
  const Json* value = find(key);
  if (!value || !value->is_number_unsigned() || value->get<std::uint64_t>() > maximum)
    return fail(key, fmt::format("a whole number from 0 to {}", maximum)), 0;
  return value->get<std::uint32_t>();
}

double JsonReader::number(const char* key) {
  const Json* value = find(key);
  if (!value || !value->is_number() || !std::isfinite(value->get<double>())) return fail(key, "a number"), 0;
  return value->get<double>();
}

const Json& JsonReader::list(const char* key) {
  static const Json empty = Json::array();
  const Json* value = find(key);
  if (!value || !value->is_array()) return fail(key, "a list"), empty;
  return *value;
}

std::vector<std::string> JsonReader::texts(const char* key) {
  std::vector<std::string> result;
  for (const Json& item : list(key)) {
    if (!item.is_string()) return fail(key, "a list of texts"), result;
    result.push_back(item.get<std::string>());
  }
  return result;
}

std::vector<double> JsonReader::numbers(const char* key) {
  std::vector<double> result;
  for (const Json& item : list(key)) {
    if (!item.is_number()) return fail(key, "a list of numbers"), result;
    result.push_back(item.get<double>());
  }
  return result;
}

std::vector<std::uint32_t> JsonReader::indices(const char* key) {
  std::vector<std::uint32_t> result;
  for (const Json& item : list(key)) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
      return fail(key, "a list of whole numbers"), result;
    result.push_back(item.get<std::uint32_t>());
  }
  return result;
}

std::vector<double> JsonReader::finite_numbers(const char* key, std::size_t count) {
  std::vector<double> result = numbers(key);
  const bool are_finite =
      std::all_of(result.begin(), result.end(), [](double x) { return std::isfinite(x); });
  if (status().ok() && (result.size() != count || !are_finite)) fail(key, fmt::format("{} numbers", count));
  return result;
}

std::int32_t JsonReader::place(const char* key) {
  constexpr auto kLimit = double(Hypothesis::kMaxLeaves);
  const Json* value = find(key);
  if (!value || !value->is_number_integer() || std::abs(value->get<double>()) > kLimit)
    return fail(key, "the number of a cut, or -1 - that of a leaf"), 0;
  return value->get<std::int32_t>();
}

float JsonReader::threshold(const char* key) {
  const Json* value = find(key);
  if (value && value->is_null()) return -std::numeric_limits<float>::infinity();
  if (!value || !value->is_number() || !std::isfinite(value->get<float>()))
    return fail(key, "a number or null"), 0.f;
  return value->get<float>();
}

void JsonReader::fail(const char* key, const std::string& expected) {
  if (!error_.message.empty()) return;
  const Json* value = *key && object_.is_object() ? find(key) : nullptr;
  error_ = input_error("{}{}{}: found {}, expected {}", place_, *key ? "/" : "", key,
                       value ? excerpt(*value) : (*key ? "nothing" : excerpt(object_)), expected);
}

const Json* JsonReader::find(const char* key) const {
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(key);
  return found == object_.end() ? nullptr : &*found;
}

}  // namespace mash
