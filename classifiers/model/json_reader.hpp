// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// Margins are finite where no score of a model is larger.
inline constexpr double kLargestScore = 1e300;

// Parses the document of a model file. Errors (kInput): it is not JSON in UTF-8, values are nested too deep,
// or numbers are too large.
Result<nlohmann::ordered_json> parse_model_json(std::string_view text);

// Reads typed members of one JSON object. The first member that is missing or wrong becomes the error, and
// its value reads as empty.
class JsonReader {
 public:
  // object: outlives the reader. place: the object's place in the document, for errors, such as
  // "/families/0".
  JsonReader(const nlohmann::ordered_json& object, std::string place);

  std::string text(const char* key);
  std::uint32_t count(const char* key, std::uint64_t maximum);
  double number(const char* key);  // finite
  const nlohmann::ordered_json& list(const char* key);
  std::vector<std::string> texts(const char* key);
  std::vector<double> numbers(const char* key);
  std::vector<std::uint32_t> indices(const char* key);
  // As many finite numbers.
  std::vector<double> finite_numbers(const char* key, std::size_t count);
  // Where a branch leads: a cut, or a negative number for a leaf.
  std::int32_t place(const char* key);
  // The threshold of a cut: a float, or -infinity for null, which marks a cut that always holds.
  float threshold(const char* key);

  // Sets the error: `expected` was not found at the key. With an empty key the error is about the object
  // itself.
  void fail(const char* key, const std::string& expected);
  Status status() const { return error_.message.empty() ? Status(Done{}) : Status(error_); }

 private:
  const nlohmann::ordered_json* find(const char* key) const;

  const nlohmann::ordered_json& object_;
  std::string place_;
  Error error_;
};

}  // namespace mash
