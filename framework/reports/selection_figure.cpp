// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "framework/records/database.hpp"
#include "framework/reports/figure_reports.hpp"
#include "framework/reports/panels.hpp"
#include "framework/reports/statistics.hpp"

namespace mash {
namespace {

constexpr std::array<std::string_view, 5> kColours{"#0072b2", "#56b4e9", "#e69f00", "#cc79a7", "#d55e00"};
constexpr double kAlmost = 0.8;    // of FULL's share is "almost as frequently"
constexpr double kUniform = 0.05;  // so near to even shares is exploration

// The share of the rounds that went to features that matter, over the seeds.
Statistics relevant_share(const SelectionResult& result) {
  std::vector<double> shares;
  for (const auto& run : result.runs)
    shares.push_back(std::accumulate(run.begin(), run.begin() + std::ptrdiff_t(result.num_relevant), 0.0));
  return statistics_of(shares);
}

std::vector<double> mean_shares(const SelectionResult& result) {
  std::vector<double> means(result.runs[0].size());
  for (const auto& run : result.runs)
    for (std::size_t j = 0; j < means.size(); ++j) means[j] += run[j] / double(result.runs.size());
  return means;
}

const SelectionResult* find(std::span<const SelectionResult> results, std::string_view set,
                            std::string_view method) {
  for (const SelectionResult& result : results)
    if (result.set == set && result.method == method) return &result;
  return nullptr;
}

// What the paper says of its bars, for one bandit.
std::string remark_on(std::span<const SelectionResult> results, const SelectionResult& bandit) {
  const Statistics share = relevant_share(bandit);
  const double even = double(bandit.num_relevant) / double(bandit.runs[0].size());
  const std::string found =
      fmt::format("{} {}: {:.1f} % of the rounds on the {} features that matter, {:.0f} % would be even",
                  bandit.set, bandit.method, 100 * share.mean, bandit.num_relevant, 100 * even);
  const auto verdict = [](bool holds) { return holds ? "holds" : "does not hold"; };
  if (bandit.method == "UCB" && bandit.set == "diagonal")
    return fmt::format("{}; \"stuck in an exploration mode\": {}", found,
                       verdict(share.mean < even + kUniform));
  const double error = share.sd / std::sqrt(double(bandit.runs.size()));
  std::string text = fmt::format("{}; \"succeeded in identifying the useful features\": {}", found,
                                 verdict(share.mean - 3 * error > even));
  if (const SelectionResult* full = find(results, bandit.set, "FULL")) {
    const double ratio = share.mean / relevant_share(*full).mean;
    text += fmt::format("; \"almost as frequently as full\": {:.0f} % as often, {}", 100 * ratio,
                        verdict(ratio >= kAlmost));
  }
  return text;
}

Panel panel_of(std::span<const SelectionResult> results, const std::string& set) {
  Panel panel{fmt::format("{}: % of the rounds", set),
              "feature",
              Scale::kLinear,
              Scale::kLinear,
              {},
              Panel::Kind::kBars};
  for (const SelectionResult& result : results) {
    if (result.set != set) continue;
    PanelSeries series{result.method, kColours[panel.series.size() % kColours.size()], "none", {}};
    const auto means = mean_shares(result);
    for (std::size_t j = 0; j < means.size(); ++j) series.points.push_back({double(j + 1), 100 * means[j]});
    panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace

Result<std::vector<double>> selection_shares(Records& records, std::int64_t experiment_id,
                                             std::size_t num_features) {
  const auto read = [&](SQLite::Database& database) -> Result<std::vector<double>> {
    SQLite::Statement query(database,
                            "SELECT feature_idx, 1.0 * SUM(alpha <> 0) / SUM(COUNT(*)) OVER () FROM rounds "
                            "WHERE experiment_id = ? AND family_idx = 0 GROUP BY feature_idx");
    query.bind(1, experiment_id);
    std::vector<double> shares(num_features);
    while (query.executeStep()) {
      const auto feature = std::size_t(query.getColumn(0).getInt64());
      if (feature >= num_features)
        return failure("experiment {}: selected feature {} of {}", experiment_id, feature, num_features);
      shares[feature] = query.getColumn(1).getDouble();
    }
    return shares;
  };
  return with_database(records.database(), read);
}

ReproductionReport selection_figure_report(std::span<const SelectionResult> results) {
  ReproductionReport report;
  report.name = "figure3";
  Table& table = report.table;
  table.title = "How often each feature was selected, Busa-Fekete & Kegl 2010, Figure 3";
  table.columns = {{"set", "set", Format::kText},
                   {"method", "method", Format::kText},
                   {"runs", "runs", Format::kCount},
                   {"relevant", "on features that matter", Format::kPercent},
                   {"relevant_sd", "sd", Format::kPercent}};
  std::vector<std::string> sets;
  for (const SelectionResult& result : results) {
    if (std::find(sets.begin(), sets.end(), result.set) == sets.end()) sets.push_back(result.set);
    const auto means = mean_shares(result);
    for (std::size_t j = table.columns.size() - 5; j < means.size(); ++j)
      table.columns.push_back({fmt::format("x{}", j + 1), fmt::format("x{}", j + 1), Format::kPercent});
    const Statistics relevant = relevant_share(result);
    auto& row = table.rows.emplace_back(std::vector<Cell>{
        result.set, result.method, std::int64_t(result.runs.size()), relevant.mean, relevant.sd});
    row.insert(row.end(), means.begin(), means.end());
    if (result.method != "FULL" && result.method != "RANDOM")
      report.remarks.push_back(remark_on(results, result));
  }
  for (auto& row : table.rows) row.resize(table.columns.size());
  PanelSheet sheet{table.title, 1, {}};
  for (const std::string& set : sets) sheet.panels.push_back(panel_of(results, set));
  if (!sheet.panels.empty()) report.svg = panel_sheet_svg(sheet);
  return report;
}

}  // namespace mash
