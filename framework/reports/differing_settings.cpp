// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/differing_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace mash {
namespace {

constexpr std::string_view kName = ".name";
constexpr std::size_t kLongValue = 30;

bool has_own_column(std::string_view key, std::span<const std::string_view> shown) {
  return key == "seed" || key.ends_with(kName) || std::ranges::find(shown, key) != shown.end();
}

// The settings that are compared with each other: the key, and the name of the part that it belongs to.
std::string group_of(const SettingsOfRun& row, const std::string& key) {
  const auto name = row.find(key.substr(0, key.find('.')) + std::string(kName));
  return key + '\n' + (name == row.end() ? "" : name->second);
}

// Data sets have many settings, of which rows hold those that are no defaults.
constexpr std::string_view kDataset = "dataset";

// The number of rows with the data set of each name.
std::map<std::string, std::size_t> rows_by_dataset(std::span<const SettingsOfRun> rows) {
  std::map<std::string, std::size_t> counts;
  for (const SettingsOfRun& row : rows)
    if (const auto name = row.find(fmt::format("{}{}", kDataset, kName)); name != row.end())
      ++counts[name->second];
  return counts;
}

}  // namespace

std::vector<DifferingSettings> differing_settings(std::span<const SettingsOfRun> rows,
                                                  std::span<const std::string_view> shown) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> num_with;
  for (const SettingsOfRun& row : rows)
    for (const auto& [key, value] : row) {
      values[group_of(row, key)].insert(value);
      ++num_with[group_of(row, key)];
    }
  const std::map<std::string, std::size_t> num_rows = rows_by_dataset(rows);
  const auto differs = [&](const SettingsOfRun& row, const std::string& key) {
    const std::string group = group_of(row, key);
    if (values.at(group).size() > 1) return true;
    const auto name = row.find(fmt::format("{}{}", kDataset, kName));
    return key.starts_with(kDataset) && name != row.end() && num_with.at(group) < num_rows.at(name->second);
  };
  std::vector<DifferingSettings> differing;
  for (const SettingsOfRun& row : rows) {
    DifferingSettings& of_row = differing.emplace_back();
    for (const auto& [key, value] : row)
      if (!has_own_column(key, shown) && differs(row, key)) of_row.emplace_back(key, value);
  }
  return differing;
}

std::vector<std::string> differences_in_words(std::span<const DifferingSettings> rows,
                                              std::span<const std::string> names) {
  std::map<std::pair<std::string, std::string>, std::string> told;  // the name of the first row with a value
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    DifferingSettings short_ones;
    for (const auto& [key, value] : rows[i]) {
      const auto [first, is_new] = told.try_emplace({key, value}, names[i]);
      const bool is_told = !is_new && value.size() > kLongValue;
      short_ones.emplace_back(key, is_told ? "as of " + first->second : value);
    }
    texts.push_back(differences_in_words(short_ones));
  }
  return texts;
}

std::string differences_in_words(const DifferingSettings& settings) {
  std::string text;
  for (const auto& [key, value] : settings)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, value.empty() ? "\"\"" : value);
  return text;
}

}  // namespace mash
