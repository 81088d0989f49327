// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/compiler_messages.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>

#include "framework/base/bounded_json.hpp"
#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr std::size_t kMaxKind = 20;
constexpr std::size_t kMaxText = 2000;  // kept of a message: types of templates may have any length
// A note of a note, with its places: [{"children": [{"children": [{"locations": [{"caret": {}}]}]}]}]
constexpr JsonBounds kBoundsOfMessages{std::size_t(16) << 20, 40, 1'000'000};

template <class T>
T member(const nlohmann::json& object, const char* key, T otherwise) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if constexpr (std::is_same_v<T, std::string>)
    return found->is_string() ? found->get<std::string>() : otherwise;
  else
    return found->is_number_unsigned() ? found->get<T>() : otherwise;
}

CompilerMessage message_of(const nlohmann::json& json) {
  CompilerMessage message;
  message.kind = printable(member<std::string>(json, "kind", "error"), kMaxKind);
  message.text = printable(member<std::string>(json, "message", ""), kMaxText);
  const auto locations = json.find("locations");
  if (locations == json.end() || !locations->is_array() || locations->empty()) return message;
  const nlohmann::json& first = locations->front();
  const auto caret = first.is_object() ? first.find("caret") : first.end();
  if (!first.is_object() || caret == first.end() || !caret->is_object()) return message;
  message.file = printable(member<std::string>(*caret, "file", ""));
  message.line = member<std::uint64_t>(*caret, "line", 0);
  message.column = member<std::uint64_t>(*caret, "column", 0);
  return message;
}

void add_messages(const nlohmann::json& array, std::size_t max_messages,
                  std::vector<CompilerMessage>& messages) {
  if (!array.is_array()) return;
  for (const nlohmann::json& json : array) {
    if (messages.size() == max_messages) return;
    if (!json.is_object()) continue;
    messages.push_back(message_of(json));
    if (const auto notes = json.find("children"); notes != json.end())
      add_messages(*notes, max_messages, messages);
  }
}

// The line with '?' for control characters and for bytes that are not UTF-8: JSON has neither, and GCC writes
// what a source has it say (#error) as it is.
std::string sound_json(std::string_view line) {
  std::string sound;
  while (!line.empty()) {
    const std::size_t size = utf8_prefix(line);
    for (const char c : line.substr(0, size)) sound += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    if (size < line.size()) sound += '?';
    line.remove_prefix(std::min(size + 1, line.size()));
  }
  return sound;
}

// Takes "LINE:" or "COLUMN:" from the front of the text.
std::optional<std::uint64_t> take_place(std::string_view& text) {
  const auto number = take_number<std::uint64_t>(text);
  if (!number || !text.starts_with(':')) return std::nullopt;
  text.remove_prefix(1);
  return number;
}

std::optional<CompilerMessage> message_in_line(std::string_view line) {
  CompilerMessage message;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  message.file = printable(line.substr(0, colon));
  line.remove_prefix(colon + 1);
  const auto number = take_place(line), column = number ? take_place(line) : std::nullopt;
  if (!column) return std::nullopt;
  message.line = *number;
  message.column = *column;
  for (const std::string_view kind : {"error", "fatal error", "warning", "note"}) {
    if (const std::string start = fmt::format(" {}: ", kind); line.starts_with(start)) {
      message.kind = kind;
      message.text = printable(line.substr(start.size()), kMaxText);
      return message;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<CompilerMessage> read_message_lines(const std::string& output, std::size_t max_messages) {
  std::vector<CompilerMessage> messages;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line) && messages.size() < max_messages;)
    if (auto message = message_in_line(line)) messages.push_back(*std::move(message));
  return messages;
}

std::vector<CompilerMessage> read_compiler_messages(const std::string& output, const std::string& others,
                                                    std::size_t max_messages) {
  std::vector<CompilerMessage> messages;
  const auto add_line = [&](const std::string& line) {
    if (!line.empty() && messages.size() < max_messages)
      messages.push_back({"", 0, 0, "error", printable(line, kMaxText)});
  };
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line) && messages.size() < max_messages;) {
    const auto array = line.starts_with('[') ? parse_json(sound_json(line), kBoundsOfMessages)
                                             : Result<nlohmann::json>(nullptr);
    if (array.ok() && array->is_array())
      add_messages(*array, max_messages, messages);
    else
      add_line(line);
  }
  std::istringstream other_lines(others);
  for (std::string line; std::getline(other_lines, line) && messages.size() < max_messages;) add_line(line);
  return messages;
}

std::string to_text(const std::vector<CompilerMessage>& messages) {
  std::string text;
  for (const CompilerMessage& message : messages) {
    if (!message.file.empty()) text += fmt::format("{}:{}:{}: ", message.file, message.line, message.column);
    text += fmt::format("{}: {}\n", message.kind, message.text);
  }
  return text;
}

}  // namespace mash
