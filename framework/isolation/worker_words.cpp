// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/worker_words.hpp"

#include "framework/base/utf8.hpp"
#include "framework/isolation/heuristic_json.hpp"

namespace mash {
namespace {

using Json = nlohmann::json;

Error unreadable(std::string_view what) { return input_error("its worker's words cannot be read: {}", what); }

Result<std::string> text_in(const Json& json, std::string_view key) {
  if (!json.is_string()) return unreadable(fmt::format("'{}' is no text", key));
  return printable(json.get_ref<const std::string&>());
}

Result<std::vector<std::string>> lines_in(const Json& json) {
  if (!json.is_array() || json.size() > kMaxLogLines)
    return unreadable(fmt::format("'log' is no list of at most {} texts", kMaxLogLines));
  std::vector<std::string> lines;
  for (const Json& line : json) {
    MASH_ASSIGN(lines.emplace_back(), text_in(line, "log"));
  }
  return lines;
}

}  // namespace

Result<WorkerWords> read_words(std::string_view text) {
  const auto json = parse_json(text, kBoundsOfWords);
  if (!json.ok()) return unreadable(json.error().message);
  if (!json->is_object()) return unreadable("they are no object");
  WorkerWords words;
  for (const auto& [key, value] : json->items()) {
    if (key == "error") {
      MASH_ASSIGN(words.error, text_in(value, key));
    } else if (key == "log") {
      MASH_ASSIGN(words.log, lines_in(value));
    } else if (key == "heuristics") {
      MASH_ASSIGN(words.heuristics, heuristics_in(value));
    } else {
      return unreadable(fmt::format("they have a '{}'", printable(key, 40)));
    }
  }
  return words;
}

}  // namespace mash
