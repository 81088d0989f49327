// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// The size that a JSON text may have.
struct JsonBounds {
  std::size_t bytes = std::size_t(4) << 20;
  std::size_t depth = 16;  // lists and objects within each other
  std::size_t values = 100'000;
};

// Bounds of a text that a program of ours wrote.
inline constexpr JsonBounds kOurOwnJson{std::size_t(1) << 30, 64, 100'000'000};

// Errors (kInput): it is no JSON, or goes beyond its bounds. Nothing is built of it.
Status check_json(std::string_view text, const JsonBounds& bounds);

// Every JSON text of somebody else is read by this: a document that is nested without end would overflow the
// stack of a program that copies it. Errors: those of check_json.
template <class Json = nlohmann::json>
Result<Json> parse_json(std::string_view text, const JsonBounds& bounds = {}) {
  MASH_TRY(check_json(text, bounds));
  return Json::parse(text);
}

// The object that the text is; an empty one where it is none, or goes beyond its bounds.
template <class Json = nlohmann::json>
Json parse_object(std::string_view text, const JsonBounds& bounds = {}) {
  auto json = parse_json<Json>(text, bounds);
  return json.ok() && json->is_object() ? *std::move(json) : Json::object();
}

}  // namespace mash
