// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/bandits/selection_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "framework/base/statistics.hpp"
#include "framework/records/rounds.hpp"
#include "framework/render/chart_sheet.hpp"
#include "framework/reproductions/common/verdict.hpp"

namespace mash {
namespace {

constexpr std::array<std::string_view, 5> kFigureColours{"#0072b2", "#56b4e9", "#e69f00", "#cc79a7",
                                                         "#d55e00"};
constexpr double kAlmost = 0.8;   // of FULL's share is "almost as frequently"
constexpr double kMargin = 0.05;  // above even shares: less is exploration

// The share of the rounds that went to features that matter, over the seeds.
Statistics relevant_share(std::size_t num_relevant, const std::vector<std::vector<double>>& runs) {
  std::vector<double> shares;
  for (const auto& run : runs)
    shares.push_back(std::accumulate(run.begin(), run.begin() + std::ptrdiff_t(num_relevant), 0.0));
  return statistics_of(shares);
}
Statistics relevant_share(const SelectionResult& result) {
  return relevant_share(result.num_relevant, result.runs);
}

std::vector<double> mean_shares(const std::vector<std::vector<double>>& runs) {
  std::vector<double> means(runs[0].size());
  for (const auto& run : runs)
    for (std::size_t j = 0; j < means.size(); ++j) means[j] += run[j] / double(runs.size());
  return means;
}

const SelectionResult* find(std::span<const SelectionResult> results, std::string_view set,
                            std::string_view method) {
  for (const SelectionResult& result : results)
    if (result.set == set && result.method == method) return &result;
  return nullptr;
}

// The paper's statement on its bars, for one method.
std::string remark_on(std::span<const SelectionResult> results, const SelectionResult& result) {
  const double share = relevant_share(result).mean;
  const double even = double(result.num_relevant) / double(result.runs[0].size());
  std::string text =
      fmt::format("{} {}: {:.1f} % of the rounds on the {} features that matter, {:.0f} % would be even",
                  result.set, result.method, 100 * share, result.num_relevant, 100 * even);
  const auto claim = [&](const char* words, bool holds) {
    text += fmt::format("; \"{}\": {}", words, holds ? "holds" : "does not hold");
  };
  if (result.method == "FULL" || result.method == "RANDOM" || result.has_fewer_rounds) return text;
  if (result.method == "UCB" && result.set == "diagonal") {
    claim("stuck in an exploration mode", share < even + kMargin);
    return text;
  }
  claim("succeeded in identifying the useful features", share >= even + kMargin);
  if (const SelectionResult* full = find(results, result.set, "FULL"))
    claim("almost as frequently as full", share >= kAlmost * relevant_share(*full).mean);
  return text;
}

LineChart chart_of(std::span<const SelectionResult> results, const std::string& set) {
  LineChart chart;
  chart.title = fmt::format("{}: % of the rounds", set);
  chart.x_title = "feature";
  chart.mark = LineChart::Mark::kBars;
  for (const SelectionResult& result : results) {
    if (result.set != set) continue;
    ChartSeries series{result.method, {}, {kFigureColours[chart.series.size() % kFigureColours.size()]}};
    const auto means = mean_shares(result.runs);
    for (std::size_t j = 0; j < means.size(); ++j)
      series.points.push_back({double(j + 1), 100 * means[j], ""});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

Result<std::vector<double>> selection_shares(const RecordsReader& records, std::int64_t run_id,
                                             std::size_t num_features, std::uint32_t num_rounds) {
  MASH_ASSIGN(const auto cuts, read_cuts(records, run_id));
  std::vector<std::size_t> num_chosen(num_features);
  std::size_t num_cuts = 0;
  for (const CutRow& cut : cuts) {
    if (cut.round > num_rounds || cut.family_idx != 0) continue;
    if (cut.feature_idx >= num_features)
      return failure("run {}: selected feature {} of {}", run_id, cut.feature_idx, num_features);
    ++num_cuts;
    num_chosen[cut.feature_idx] += cut.alpha != 0;
  }
  std::vector<double> shares(num_features);
  for (std::size_t j = 0; j < num_features && num_cuts > 0; ++j)
    shares[j] = double(num_chosen[j]) / double(num_cuts);
  return shares;
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
                   {"relevant_sd", "sd", Format::kPercent},
                   {"relevant_early", fmt::format("in the first {} rounds", kEarlyRounds), Format::kPercent}};
  const std::size_t num_fixed = table.columns.size();
  std::vector<std::string> sets;
  for (const SelectionResult& result : results) {
    if (std::find(sets.begin(), sets.end(), result.set) == sets.end()) sets.push_back(result.set);
    const auto means = mean_shares(result.runs);
    for (std::size_t j = table.columns.size() - num_fixed; j < means.size(); ++j)
      table.columns.push_back({fmt::format("x{}", j + 1), fmt::format("x{}", j + 1), Format::kPercent});
    const Statistics relevant = relevant_share(result);
    auto& row = table.rows.emplace_back(
        std::vector<Cell>{result.set, result.method, std::int64_t(result.runs.size()), relevant.mean,
                          result.runs.size() > 1 ? Cell(relevant.sd) : Cell(),
                          relevant_share(result.num_relevant, result.early).mean});
    row.insert(row.end(), means.begin(), means.end());
    report.remarks.push_back(remark_on(results, result));
  }
  if (std::ranges::any_of(results, &SelectionResult::has_fewer_rounds))
    report.remarks.emplace_back(kFewerRounds);
  for (auto& row : table.rows) row.resize(table.columns.size());
  ChartSheet sheet{table.title, 1, {}};
  for (const std::string& set : sets) sheet.charts.push_back(chart_of(results, set));
  if (!sheet.charts.empty()) report.svg = chart_sheet_svg(sheet);
  return report;
}

}  // namespace mash
