// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "framework/base/bounded_json.hpp"
#include "server/http/frame/line_diff.hpp"

namespace mash::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostFacts = 60;

// "num_examples" as "examples".
std::string in_words(std::string_view key) {
  if (key.starts_with("num_")) key.remove_prefix(4);
  std::string words(key);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string scalar_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.is_null() ? "–" : value.dump();
}

void add_facts(Table& table, const std::string& name, const Json& value) {
  if (table.rows.size() >= kMostFacts) return;
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items())
      add_facts(table, name.empty() ? in_words(key) : name + ": " + in_words(key), inner);
    return;
  }
  const bool has_parts =
      value.is_array() && std::ranges::any_of(value, [](const Json& one) { return one.is_structured(); });
  if (has_parts) {
    for (std::size_t i = 0; i < value.size(); ++i)
      add_facts(table, fmt::format("{} {}", name, i + 1), value[i]);
    return;
  }
  std::string text;
  if (value.is_array())
    for (const Json& one : value) text += (text.empty() ? "" : ", ") + scalar_text(one);
  else
    text = scalar_text(value);
  table.rows.push_back({name, text});
}

}  // namespace

page::Piece facts_piece(std::string_view document, std::string_view caption) {
  Table table{"Facts", {{"fact", "what"}, {"value", "value"}}, {}, ""};
  add_facts(table, "", parse_object<Json>(document));
  return table.rows.empty() ? page::Piece{} : page::table(table, caption);
}

std::string dataset_lines(std::string_view experiment) {
  std::string out;
  bool is_within = false;
  for (const std::string_view line : lines_of(experiment)) {
    if (!line.empty() && line.front() != ' ' && line.front() != '#') is_within = line.starts_with("dataset:");
    if (is_within) out += std::string(line) + "\n";
  }
  return out.empty() ? std::string(experiment) : out;
}

}  // namespace mash::server
