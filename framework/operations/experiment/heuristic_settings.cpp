// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/heuristic_settings.hpp"

#include <algorithm>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/operations/experiment/setting_value.hpp"

namespace mash {
namespace {

constexpr std::string_view kExample = "levels=8", kExampleOfValues = "levels=2,4,8 or grid=2..4";

// A key with what stands behind it.
struct GivenKey {
  std::string key, where;
  YAML::Node node;
};

Result<std::vector<GivenKey>> read_keys(const Overrides& given, std::string_view example) {
  std::vector<GivenKey> keys;
  for (const std::string& text : given.texts) {
    if (is_line_of_text(text) && text.find('=') == std::string::npos)
      return input_error("{} {}: expected key=value, such as {}", given.called, text, example);
    MASH_ASSIGN(const Assignment one, parse_assignment(given.called, text));
    if (std::ranges::find(keys, one.key, &GivenKey::key) != keys.end())
      return input_error("{}: the setting '{}' is given twice", one.where, one.key);
    MASH_ASSIGN(YAML::Node node, parse_setting_value(one.value, {one.where, Origin::kOverride}));
    if (node.IsNull()) return input_error("{}: found nothing, expected a value", one.where);
    if (node.IsMap()) return input_error("{}: found a mapping, expected a value", one.where);
    keys.push_back({one.key, one.where, std::move(node)});
  }
  return keys;
}

// The whole numbers of "2..4"; nothing where the text is no range. Errors (kInput): it is an empty one, a
// long one, or lacks an end.
Result<std::vector<std::string>> numbers_of_range(const std::string& text, const std::string& where) {
  std::vector<std::string> numbers;
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return numbers;
  const auto first = number_in<std::int64_t>(std::string_view(text).substr(0, dots)),
             last = number_in<std::int64_t>(std::string_view(text).substr(dots + 2));
  if (first && !last && dots + 2 == text.size())
    return input_error("{}: found the range '{}' without its end, expected one such as {}..{}", where, text,
                       *first, *first + 2);
  if (!first && last && dots == 0)
    return input_error("{}: found the range '{}' without its beginning, expected one such as {}..{}", where,
                       text, *last - 2, *last);
  if ((!first || !last) && number_in<double>(std::string_view(text).substr(0, dots)) &&
      number_in<double>(std::string_view(text).substr(dots + 2)))
    return input_error(
        "{}: found the range '{}', but ranges are for whole numbers; expected a list, such as {},{}", where,
        text, text.substr(0, dots), text.substr(dots + 2));
  if (!first || !last) return numbers;
  if (*first > *last)
    return input_error("{}: found the range '{}', expected the smaller number first", where, text);
  if (std::uint64_t(*last) - std::uint64_t(*first) >= kMostVariants)
    return input_error("{}: the range '{}' has more than {} values", where, text, kMostVariants);
  for (std::int64_t number = *first; number <= *last; ++number) numbers.push_back(fmt::format("{}", number));
  return numbers;
}

Result<std::vector<std::string>> values_of(const GivenKey& key) {
  std::vector<std::string> texts;
  if (key.node.IsScalar()) texts = split_list(key.node.Scalar());
  for (const auto& item : key.node) {
    if (!item.IsScalar())
      return input_error("{}: found {} in the list, expected a value", key.where, kind_of(item));
    texts.push_back(item.Scalar());
  }
  std::vector<std::string> values;
  for (const std::string& text : texts) {
    if (text.empty()) return input_error("{}: found an empty value, expected one", key.where);
    MASH_ASSIGN(const std::vector<std::string> range, numbers_of_range(text, key.where));
    if (range.empty()) values.push_back(text);
    values.insert(values.end(), range.begin(), range.end());
  }
  if (values.empty()) return input_error("{}: found an empty list, expected values", key.where);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::find(values.begin(), values.begin() + std::ptrdiff_t(i), values[i]) !=
        values.begin() + std::ptrdiff_t(i))
      return input_error("{}: '{}' is given twice", key.where, values[i]);
  return values;
}

}  // namespace

Result<Settings> parse_heuristic_settings(const Overrides& given) {
  Settings settings;
  MASH_ASSIGN(const std::vector<GivenKey> keys, read_keys(given, kExample));
  for (const GivenKey& one : keys) {
    if (one.node.IsSequence())
      return input_error("{}: found a list, expected one value; mash heuristic tune compares several",
                         one.where);
    settings.add(one.key, one.node.Scalar(), one.where, Origin::kOverride);
  }
  return settings;
}

Result<std::vector<Settings>> parse_variants(const Overrides& given) {
  std::vector<Settings> variants(1);
  MASH_ASSIGN(const std::vector<GivenKey> keys, read_keys(given, kExampleOfValues));
  for (const GivenKey& one : keys) {
    MASH_ASSIGN(const std::vector<std::string> values, values_of(one));
    if (variants.size() * values.size() > kMostVariants)
      return input_error("{}: the values give more than {} variants", one.where, kMostVariants);
    std::vector<Settings> multiplied;
    for (const Settings& variant : variants)
      for (const std::string& value : values) {
        multiplied.push_back(variant);
        multiplied.back().add(one.key, value, one.where, Origin::kOverride);
      }
    variants = std::move(multiplied);
  }
  if (variants.size() < 2)
    return input_error("{}: found one variant, expected values to compare, such as {} {}", given.called,
                       given.called, kExampleOfValues);
  return variants;
}

std::string describe_given(const Settings& settings) {
  std::string text;
  for (const Settings::Entry& entry : settings.entries())
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", entry.key, entry.value);
  return text;
}

}  // namespace mash
