// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/render/table.hpp"
#include "framework/reports/comparison/comparison.hpp"

// The parts of a comparison as tables, for texts and pages alike.
namespace mash {

// A figure that classifiers have, each run one.
struct ComparedFigure {
  std::string_view key, title;
  Format format;
  double factor = 1;     // from what JSON has to what tables show
  bool is_shown = true;  // in tables; JSON has all
};
extern const std::vector<ComparedFigure> kComparedFigures;

// Whether a setting is not the same everywhere.
struct SettingRow {
  std::string key;
  std::vector<std::optional<std::string>> values;  // of each side; nothing: it is not set there
  bool differs() const;
};
// In the order in which they were met first.
std::vector<SettingRow> setting_rows(const ComparisonReport& comparison);
// all: also those that are equal.
Table settings_table(const ComparisonReport& comparison, bool all);

// "1: experiment demo on digits, runs 1, 2 (seeds 1, 2)"
std::string side_line(const ComparisonReport& comparison, std::size_t i);
Table results_table(const ComparisonReport& comparison);
Table pairs_table(const ComparisonReport& comparison);
Table classes_table(const ComparisonReport& comparison);
// The families that some side uses, those with the largest share first, at most this number.
inline constexpr std::size_t kMaxFamiliesShown = 20;
Table families_table(const ComparisonReport& comparison);

// A value of the points of all runs at a round; nothing where one of them has no point there.
template <class Value>
std::vector<double> values_at(const ComparedSide& side, std::uint32_t round, const Value& value) {
  std::vector<double> values;
  for (const auto& curve : side.curves)
    for (const CurvePoint& point : curve)
      if (point.round == round) values.push_back(double(value(point)));
  if (values.size() != side.curves.size()) values.clear();
  return values;
}

}  // namespace mash
