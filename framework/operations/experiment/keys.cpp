// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/keys.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "framework/base/number.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/experiment/strategies.hpp"

namespace mash {
namespace {

using KeyKind = Settings::Kind;

// The keys without which the format gives an error, and with any value of which it does not.
bool is_required(std::string_view format, const std::string& key) {
  const auto none = check_dataset_settings(format, {});
  Settings with;
  with.add(key, "x", "here");
  const auto one = check_dataset_settings(format, with);
  return none.ok() && one.ok() && !none->problems().empty() && one->problems().empty();
}

ExperimentPart dataset_part(const DatasetFormat& format) {
  ExperimentPart part{"dataset", format.name, format.summary, {}};
  for (const Settings::Known& known : known_keys(format))
    part.keys.push_back(
        {known, find_key_meaning(part.section, part.name, known.key), is_required(format.name, known.key)});
  return part;
}

template <class Part, class... Given>
void add_parts(std::string_view section, std::span<const Builtin<Part, Given...>> rows,
               std::vector<ExperimentPart>& parts) {
  for (const auto& row : rows) {
    ExperimentPart part{section, row.name, row.summary, {}};
    // A key that is tuned by default would be left out.
    Settings checked = Settings().for_checking();
    (void)make_plain(row, checked);
    for (Settings::Known known : checked.known()) {
      if (known.key == row.tuning.key) {
        known.words.emplace_back(kTuned);
        if (row.tuning.by_default) known.fallback = kTuned;
      }
      const KeyMeaning* meaning = find_key_meaning(section, row.name, known.key);
      part.keys.push_back({std::move(known), meaning});
    }
    parts.push_back(std::move(part));
  }
}

// "`auto`, or a whole number from 1 to 9".
std::string type_in_words(const Settings::Known& takes) {
  std::vector<std::string> pieces;
  for (const std::string& word : takes.words) pieces.push_back("`" + word + "`");
  switch (takes.kind) {
    case KeyKind::kChoice: return fmt::format("{}", fmt::join(pieces, ", "));
    case KeyKind::kBoolean: return "`true`, `false`";
    case KeyKind::kInteger:
      pieces.push_back(takes.maximum < double(INT64_MAX)
                           ? fmt::format("whole number, {:.0f} to {:.0f}", takes.minimum, takes.maximum)
                           : fmt::format("whole number, {:.0f} to 2⁶³ − 1", takes.minimum));
      break;
    case KeyKind::kReal:
      pieces.push_back(fmt::format("number, {:g} to {:g}", takes.minimum, takes.maximum));
      break;
    case KeyKind::kText: pieces.emplace_back("text"); break;
    case KeyKind::kList: pieces.emplace_back("text, or list of texts"); break;
    case KeyKind::kAmount:
      pieces.emplace_back(
          "whole number from 1, share above 0 and at most 1 (`0.8`), or a number of each class (`30 per "
          "class`)");
      break;
  }
  return fmt::format("{}", fmt::join(pieces, ", or "));
}

std::string default_in_words(const ExperimentKey& key) {
  if (key.required) return "required";
  return has_default(key.takes) ? "`" + key.takes.fallback + "`" : "";
}

// A row of a table; the same row of several parts is one.
struct KeyRow {
  std::string key, type, fallback;
  std::string meaning, example;
  std::vector<std::string> parts;
};

void add_row(std::string_view part, const ExperimentKey& key, std::vector<KeyRow>& rows) {
  KeyRow row{key.takes.key, type_in_words(key.takes), default_in_words(key), "", "", {}};
  if (key.meaning) {
    row.meaning = key.meaning->meaning;
    row.example = key.meaning->example;
  }
  const auto same = std::find_if(rows.begin(), rows.end(), [&](const KeyRow& other) {
    return other.key == row.key && other.type == row.type && other.fallback == row.fallback &&
           other.meaning == row.meaning;
  });
  const std::string name = "`" + std::string(part) + "`";
  if (same != rows.end()) return same->parts.push_back(name);
  row.parts.push_back(name);
  rows.push_back(std::move(row));
}

std::string table_of(std::string_view section, std::span<const ExperimentPart> parts) {
  std::vector<KeyRow> rows;
  std::size_t num_parts = 0;
  for (const ExperimentPart& part : parts) {
    if (part.section != section) continue;
    ++num_parts;
    for (const ExperimentKey& key : part.keys) add_row(part.name, key, rows);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const KeyRow& a, const KeyRow& b) { return a.key < b.key; });
  std::string text = "| key | of | type | default | meaning | example |\n|---|---|---|---|---|---|\n";
  for (const KeyRow& row : rows)
    text += fmt::format("| `{}` | {} | {} | {} | {} | `{}` |\n", row.key,
                        row.parts.size() == num_parts ? "all" : fmt::format("{}", fmt::join(row.parts, ", ")),
                        row.type, row.fallback, row.meaning, row.example);
  return text;
}

std::string table_of_file() {
  std::string text = "| key | type | default | meaning | example |\n|---|---|---|---|---|\n";
  const auto add = [&](std::string_view key, std::string_view type, std::string_view fallback) {
    const KeyMeaning* meaning = find_key_meaning("", "", key);
    text += fmt::format("| `{}` | {} | {} | {} | `{}` |\n", key, type, fallback,
                        meaning ? meaning->meaning : "", meaning ? meaning->example : "");
  };
  const Experiment usual = default_experiment();
  const std::string_view part = "a name, or a mapping with `name`";
  const auto name = [](const NamedSettings& one) { return "`" + one.name + "`"; };
  add("dataset", part, "required");
  add("heuristics", "`all`, or a list of ids, of mappings with `id` or `columns`, and of `all`", "`all`");
  add("booster", part, name(usual.booster));
  add("weak", part, name(usual.weak));
  add("sampler", part, name(usual.sampler));
  add("classifier", part, "none");
  for (const ExperimentKey& key : experiment_value_keys())
    add(key.takes.key, type_in_words(key.takes), default_in_words(key));
  return text;
}

}  // namespace

bool has_default(const Settings::Known& takes) {
  if (takes.fallback.empty()) return false;
  const bool is_number = takes.kind == KeyKind::kInteger || takes.kind == KeyKind::kReal;
  const bool is_word = std::find(takes.words.begin(), takes.words.end(), takes.fallback) != takes.words.end();
  return !is_number || is_word || number_in<double>(takes.fallback).value_or(0) >= takes.minimum;
}

std::vector<std::string> literal_values(const Settings::Known& takes) {
  std::vector<std::string> values;
  if (has_default(takes)) values.push_back(takes.fallback);
  const auto add = [&](const std::string& word) {
    if (std::find(values.begin(), values.end(), word) == values.end()) values.push_back(word);
  };
  for (const std::string& word : takes.words) add(word);
  if (takes.kind == KeyKind::kBoolean)
    for (const char* word : {"false", "true"}) add(word);
  return values;
}

std::string keys_in_a_line(std::span<const ExperimentKey> keys) {
  std::vector<std::string> pieces;
  for (const ExperimentKey& key : keys) {
    std::vector<std::string> values = literal_values(key.takes);
    const bool is_number = key.takes.kind == KeyKind::kInteger || key.takes.kind == KeyKind::kReal;
    for (std::string& value : values)
      if (value.find_first_of(", |") != std::string::npos) value = "'" + value + "'";
    if (is_number && (values.empty() || !key.takes.words.empty())) values.emplace_back("N");
    if (key.takes.kind == KeyKind::kText && !key.takes.words.empty()) values.emplace_back("TEXT");
    pieces.push_back(values.empty() ? key.takes.key
                                    : fmt::format("{}: {}", key.takes.key, fmt::join(values, "|")));
  }
  return fmt::format("{}", fmt::join(pieces, ", "));
}

std::vector<ExperimentPart> experiment_parts() {
  std::vector<ExperimentPart> parts;
  for (const DatasetFormat& format : dataset_formats()) parts.push_back(dataset_part(format));
  add_parts("booster", builtin_boosters(), parts);
  add_parts("weak", builtin_weak_learners(), parts);
  add_parts("sampler", builtin_samplers(), parts);
  add_parts("classifier", builtin_learners(), parts);
  return parts;
}

std::vector<ExperimentKey> experiment_value_keys() {
  std::vector<ExperimentKey> keys;
  for (Settings::Known& known : experiment_values()) {
    const KeyMeaning* meaning = find_key_meaning("", "", known.key);
    keys.push_back({std::move(known), meaning});
  }
  return keys;
}

std::string experiment_key_tables() {
  const std::vector<ExperimentPart> parts = experiment_parts();
  std::string text = "### The file\n\n" + table_of_file();
  for (const std::string_view section : {"dataset", "booster", "weak", "sampler", "classifier"})
    text += fmt::format("\n### {}\n\n{}", section, table_of(section, parts));
  return text;
}

}  // namespace mash
