// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/costs_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/text_table.hpp"

namespace mash {
namespace {

constexpr auto kNotKnown = std::numeric_limits<std::uint32_t>::max();  // how many features a family has
constexpr std::string_view kHeader = "family", kCost = "cost";

// The lines of one family.
struct Lines {
  std::optional<double> setup, each;
  std::map<std::uint32_t, double> features;
};

// One more line of a family. Errors: the feature is not one of its; it has a line already.
Status add_line(std::string_view feature, double cost, std::uint32_t num_features, Lines& lines) {
  const bool is_setup = feature == "setup";
  if (is_setup || feature == "*") {
    std::optional<double>& value = is_setup ? lines.setup : lines.each;
    if (value) return input_error("found a second line '{}' of this family", feature);
    value = cost;
    return Done{};
  }
  const auto idx = number_in<std::uint32_t>(feature);
  if (!idx || *idx >= num_features)
    return input_error("found feature '{}', expected a number{}, '*' or 'setup'",
                       printable(std::string(feature)),
                       num_features == kNotKnown ? "" : fmt::format(" below {}", num_features));
  if (!lines.features.emplace(*idx, cost).second)
    return input_error("found a second line of feature {}", *idx);
  return Done{};
}

Result<FamilyCosts> costs_of(const FamilySize& family, const Lines& lines) {
  FamilyCosts costs{family.name, std::vector<double>(family.num_features, lines.each.value_or(0)),
                    lines.setup.value_or(0)};
  for (std::uint32_t f = 0; f < family.num_features; ++f) {
    const auto own = lines.features.find(f);
    if (own != lines.features.end())
      costs.features[f] = own->second;
    else if (!lines.each)
      return input_error("found no cost of feature {} of family '{}', expected its line, or one of '*'", f,
                         printable(family.name));
  }
  return costs;
}

// Names with settings have commas.
std::string in_quotes(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

// The unit, by the names of the columns. Errors (kInput): a unit that nobody knows.
Result<std::string> unit_of(const TextTable& table) {
  if (table.num_rows() == 0 || table.cell(0, 0) != kHeader) return std::string();
  const std::string_view name = table.cell(0, 2);
  if (name == kCost) return std::string();
  if (name == kMicroseconds) return std::string(name);
  return input_error("{}: found '{}', expected {} or {}", table.place(0, 2), printable(std::string(name)),
                     kCost, kMicroseconds);
}

struct Table {
  std::string unit;
  std::map<std::string, Lines, std::less<>> lines;  // of each family that has some
};

// The lines of these families.
Result<Table> read_table(const std::filesystem::path& path, std::span<const FamilySize> families) {
  MASH_ASSIGN(LoadedSource source, read_source(path));
  TextTable text;
  text.source = std::make_shared<const LoadedSource>(std::move(source));
  text.columns = {"family", "feature", "cost"};
  LineReader reader(text.source->bytes);
  MASH_TRY(read_rows(reader, {}, text));
  Table table;
  MASH_ASSIGN(table.unit, unit_of(text));
  for (std::size_t row = 0; row < text.num_rows(); ++row) {
    if (row == 0 && text.cell(0, 0) == kHeader) continue;  // the names of the columns
    const auto family = std::find_if(families.begin(), families.end(),
                                     [&](const FamilySize& f) { return f.name == text.cell(row, 0); });
    if (family == families.end()) continue;
    const auto cost = number_in<double>(text.cell(row, 2));
    if (!cost || !std::isfinite(*cost) || *cost < 0)
      return input_error("{}: found '{}', expected a number that is 0 or more", text.place(row, 2),
                         printable(std::string(text.cell(row, 2))));
    const Status added = add_line(text.cell(row, 1), *cost, family->num_features, table.lines[family->name]);
    if (!added.ok()) return added.error().at(text.place(row, 1));
  }
  return table;
}

}  // namespace

Result<FeatureCosts> read_costs(const std::filesystem::path& path, std::span<const FamilySize> families) {
  MASH_ASSIGN(Table table, read_table(path, families));
  std::vector<FamilyCosts> costs;
  for (const FamilySize& family : families) {
    auto of_family = costs_of(family, table.lines[family.name]);
    if (!of_family.ok()) return of_family.error().at(path.string());
    costs.push_back(*std::move(of_family));
  }
  return FeatureCosts::make(std::move(costs), std::move(table.unit));
}

Status check_costs(const std::filesystem::path& path, std::span<const std::string> families,
                   std::span<const std::string> required) {
  std::vector<FamilySize> sizes;
  for (const std::string& family : families) sizes.push_back({family, kNotKnown});
  MASH_ASSIGN(const Table table, read_table(path, sizes));
  for (const std::string& family : required)
    if (!table.lines.contains(family))
      return input_error("{}: found no costs of family '{}', expected lines of its features, or one of '*'",
                         path.string(), printable(family));
  return Done{};
}

std::string costs_table(std::span<const FamilyCosts> families, const std::string& unit) {
  std::string text = fmt::format("{},feature,{}\n", kHeader, unit.empty() ? kCost : std::string_view(unit));
  for (const FamilyCosts& family : families) {
    const std::string name = in_quotes(family.family);
    text += fmt::format("{},setup,{}\n", name, family.setup);
    const bool are_equal = std::adjacent_find(family.features.begin(), family.features.end(),
                                              std::not_equal_to()) == family.features.end();
    if (are_equal && !family.features.empty())
      text += fmt::format("{},*,{}\n", name, family.features.front());
    for (std::size_t f = 0; !are_equal && f < family.features.size(); ++f)
      text += fmt::format("{},{},{}\n", name, f, family.features[f]);
  }
  return text;
}

}  // namespace mash
