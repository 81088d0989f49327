// SPDX-License-Identifier: Apache-2.0
#include "framework/base/settings.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "framework/base/number.hpp"
#include "framework/base/require.hpp"
#include "framework/base/suggestion.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

// "one of full, laminating; did you mean 'laminating'?", or without the question.
std::string one_of_in_words(std::string_view found, std::span<const std::string_view> choices) {
  const std::string question = did_you_mean(found, choices);
  return fmt::format("one of {}{}{}", fmt::join(choices, ", "), question.empty() ? "" : "; ", question);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

}  // namespace

void Settings::add(std::string key, std::string value, std::string where, Origin origin) {
  add(Entry{std::move(key), std::move(value), std::move(where), origin});
}

void Settings::add_list(std::string key, std::vector<std::string> items, std::string where, Origin origin) {
  std::string value = list_in_words(items);
  add(Entry{std::move(key), std::move(value), std::move(where), origin, std::move(items)});
}

void Settings::add(Entry entry) {
  const auto former = std::ranges::find(entries_, entry.key, &Entry::key);
  if (former != entries_.end())
    *former = std::move(entry);
  else
    entries_.push_back(std::move(entry));
}

std::optional<std::string> Settings::peek(std::string_view key) const {
  for (const Entry& entry : entries_)
    if (entry.key == key) return entry.value;
  return std::nullopt;
}

void Settings::erase(std::string_view key) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.key == key; });
}

void Settings::keep_only(Origin origin) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.origin != origin; });
}

bool Settings::has(std::string_view key) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
}

const Settings::Entry* Settings::find(Known known) {
  const std::string key = known.key;
  known.holds = known.fallback;
  if (std::ranges::find(known_, key, &Known::key) == known_.end()) known_.push_back(std::move(known));
  for (const Entry& entry : entries_)
    if (entry.key == key) return &entry;
  return nullptr;
}

void Settings::holds(std::string_view key, std::string spelling) {
  const auto known = std::ranges::find(known_, key, &Known::key);
  require(known != known_.end(), "holds: a key that was read");
  known->holds = std::move(spelling);
}

Status Settings::refuse(Error error) {
  if (!is_checking_) return error;
  problems_.push_back(std::move(error));
  return Done{};
}

Status Settings::refuse_without(std::string_view key, std::string_view needed) {
  if (!has(key) || !problems_.empty()) return Done{};
  return refuse(input_error("{}: {}: has no effect without {}", where(key), key, needed));
}

Error Settings::unexpected(std::string_view key, std::string_view expected) const {
  return input_error("{}: {}: found '{}', expected {}", where(key), key, peek(key).value_or(""), expected);
}

Settings Settings::for_checking() const {
  Settings copy = *this;
  copy.is_checking_ = true;
  return copy;
}

Result<std::int64_t> Settings::integer(std::string_view key, std::int64_t fallback, std::int64_t minimum,
                                       std::int64_t maximum) {
  const Entry* entry =
      find({std::string(key), fmt::format("{}", fallback), Kind::kInteger, double(minimum), double(maximum)});
  if (!entry) return fallback;
  const auto value = number_in<std::int64_t>(entry->value);
  if (value && *value >= minimum && *value <= maximum) {
    holds(key, fmt::format("{}", *value));
    return *value;
  }
  MASH_TRY(refuse(unexpected(key, fmt::format("a whole number from {} to {}", minimum, maximum))));
  return fallback;
}

Result<std::optional<std::int64_t>> Settings::integer_or(std::string_view key, std::string_view word,
                                                         std::int64_t minimum, std::int64_t maximum) {
  using Value = std::optional<std::int64_t>;
  const Entry* entry = find({std::string(key),
                             std::string(word),
                             Kind::kInteger,
                             double(minimum),
                             double(maximum),
                             {std::string(word)}});
  if (!entry || entry->value == word) return Value();
  const auto value = number_in<std::int64_t>(entry->value);
  if (value && *value >= minimum && *value <= maximum) {
    holds(key, fmt::format("{}", *value));
    return value;
  }
  MASH_TRY(
      refuse(unexpected(key, fmt::format("a whole number from {} to {}, or {}", minimum, maximum, word))));
  return Value();
}

Result<double> Settings::real(std::string_view key, double fallback, double minimum, double maximum) {
  const Entry* entry = find({std::string(key), fmt::format("{}", fallback), Kind::kReal, minimum, maximum});
  if (!entry) return fallback;
  const auto value = number_in<double>(entry->value);
  if (value && *value >= minimum && *value <= maximum) {
    holds(key, fmt::format("{}", *value + 0.0));  // -0 is 0
    return *value;
  }
  MASH_TRY(refuse(unexpected(key, fmt::format("a number from {} to {}", minimum, maximum))));
  return fallback;
}

Result<std::optional<double>> Settings::real_or(std::string_view key, std::string_view word, double minimum,
                                                double maximum) {
  using Value = std::optional<double>;
  const Entry* entry =
      find({std::string(key), std::string(word), Kind::kReal, minimum, maximum, {std::string(word)}});
  if (!entry || entry->value == word) return Value();
  const auto value = number_in<double>(entry->value);
  if (value && *value >= minimum && *value <= maximum) {
    holds(key, fmt::format("{}", *value + 0.0));
    return value;
  }
  MASH_TRY(refuse(unexpected(key, fmt::format("a number from {} to {}, or {}", minimum, maximum, word))));
  return Value();
}

Result<std::string> Settings::text(std::string_view key, std::string fallback, Kind kind,
                                   std::vector<std::string> words) {
  const Entry* entry = find({std::string(key), fallback, kind, 0, 0, std::move(words)});
  if (!entry) return fallback;
  if (entry->items) {
    MASH_TRY(refuse(unexpected(key, "one text")));
    return fallback;
  }
  holds(key, entry->value);
  return entry->value;
}

Result<std::vector<std::string>> Settings::list(std::string_view key, std::vector<std::string> fallback) {
  const Entry* entry = find({std::string(key), fmt::format("{}", fmt::join(fallback, ",")), Kind::kList});
  if (!entry) return fallback;
  std::vector<std::string> items = entry->items ? *entry->items : split_list(entry->value);
  if (items != fallback) holds(key, list_in_words(items));
  return items;
}

Result<bool> Settings::boolean(std::string_view key, bool fallback) {
  const Entry* entry = find({std::string(key), fallback ? "true" : "false", Kind::kBoolean});
  if (!entry) return fallback;
  if (entry->value == "true" || entry->value == "false") {
    holds(key, entry->value);
    return entry->value == "true";
  }
  MASH_TRY(refuse(unexpected(key, "true or false")));
  return fallback;
}

Result<std::string> Settings::choice(std::string_view key, std::string fallback,
                                     std::span<const std::string_view> choices) {
  const Entry* entry =
      find({std::string(key), fallback, Kind::kChoice, 0, 0, {choices.begin(), choices.end()}});
  if (!entry) return fallback;
  if (std::find(choices.begin(), choices.end(), entry->value) != choices.end()) {
    holds(key, entry->value);
    return entry->value;
  }
  MASH_TRY(refuse(unexpected(key, one_of_in_words(entry->value, choices))));
  return fallback;
}

Status Settings::finish(std::string_view whose) {
  std::vector<std::string_view> keys;
  for (const Known& known : known_) keys.push_back(known.key);
  for (const Entry& entry : entries_)
    if (std::find(keys.begin(), keys.end(), entry.key) == keys.end())
      MASH_TRY(refuse(unknown_name("key", entry.key, keys).at(whose).at(entry.where)));
  if (is_checking_) return Error{ErrorKind::kStopped, fmt::format("{} is only checked", whose)};
  return Done{};
}

std::string Settings::where(std::string_view key) const {
  for (const Entry& entry : entries_)
    if (entry.key == key) return entry.where;
  return {};
}

std::string Settings::folder(std::string_view key) const {
  const auto entry = std::ranges::find(entries_, key, &Entry::key);
  return entry == entries_.end() ? "" : entry->folder;
}

std::string list_in_words(std::span<const std::string> items) {
  constexpr std::string_view kNotPlain = " ,\"[]";
  std::vector<std::string> words;
  for (const std::string& item : items)
    words.push_back(item.empty() || item.find_first_of(kNotPlain) != std::string::npos
                        ? fmt::format("\"{}\"", item)
                        : item);
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::vector<std::string> split_list(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

Error unknown_name(std::string_view what, std::string_view found, std::span<const std::string_view> known) {
  return input_error("unknown {} '{}'; {}", what, found, known_names(found, known));
}

Result<Assignment> parse_assignment(std::string_view called, std::string_view text) {
  Assignment assignment{"", "", fmt::format("{} {}", called, printable(text))};
  if (!is_line_of_text(text)) return input_error("{}: expected a line of UTF-8 text", assignment.where);
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos)
    return input_error("{}: expected key=value, such as sampler.budget=5 or dataset.path=pictures",
                       assignment.where);
  assignment.key = text.substr(0, equals);
  assignment.value = text.substr(equals + 1);
  return assignment;
}

Result<std::uint64_t> parse_size(std::string_view text) {
  constexpr std::string_view kSuffixes = "KMGT";
  std::string_view digits = text;
  unsigned shift = 0;
  if (!text.empty())
    if (const auto suffix = kSuffixes.find(text.back()); suffix != std::string_view::npos) {
      shift = 10 * (unsigned(suffix) + 1);
      digits.remove_suffix(1);
    }
  const auto value = number_in<std::uint64_t>(digits);
  if (!value || *value > (~std::uint64_t(0) >> shift))
    return input_error("found '{}', expected a size such as 512M or 4G", text);
  return *value << shift;
}

}  // namespace mash
