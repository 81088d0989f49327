// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/gap_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "framework/base/statistics.hpp"
#include "framework/render/chart_sheet.hpp"

namespace mash {
namespace {

constexpr std::array<std::string_view, 3> kGapColours{"#56b4e9", "#0072b2", "#d55e00"};

// The mean gap over the rounds of each seed.
Statistics mean_gap(const GapResult& result) {
  std::vector<double> means;
  for (const auto& run : result.runs) means.push_back(statistics_of(run).mean);
  return statistics_of(means);
}

ChartSeries series_of(const GapResult& result, std::string_view colour) {
  ChartSeries series{result.strategy, {}, {colour}};
  for (std::size_t t = 0; t < result.runs[0].size(); ++t) {
    double mean = 0;
    for (const auto& run : result.runs) mean += run[std::min(t, run.size() - 1)] / double(result.runs.size());
    series.points.push_back({double(t + 1), mean, ""});
  }
  return series;
}

}  // namespace

ReproductionReport gap_figure_report(std::span<const GapResult> results) {
  ReproductionReport report;
  report.name = "figure2";
  Table& table = report.table;
  table.title = "Largest edge less that of the feature found, Dubout & Fleuret 2014, Figure 2";
  table.columns = {{"cost", "Q S", Format::kCount},
                   {"strategy", "strategy", Format::kText},
                   {"runs", "runs", Format::kCount},
                   {"rounds", "rounds", Format::kCount},
                   {"gap", "mean gap", Format::kDecimal},
                   {"gap_sd", "sd", Format::kDecimal},
                   {"last_gap", "in the last round", Format::kDecimal}};
  std::map<std::uint64_t, LineChart> charts;
  std::map<std::uint64_t, std::pair<double, std::string>> smallest;
  for (const GapResult& result : results) {
    const Statistics gap = mean_gap(result);
    LineChart& chart = charts[result.cost];
    chart.series.push_back(series_of(result, kGapColours[chart.series.size() % kGapColours.size()]));
    table.rows.push_back({std::int64_t(result.cost), result.strategy, std::int64_t(result.runs.size()),
                          std::int64_t(result.runs[0].size()), gap.mean,
                          result.runs.size() > 1 ? Cell(gap.sd) : Cell(),
                          chart.series.back().points.back().y});
    auto& best = smallest[result.cost];
    if (best.second.empty() || gap.mean < best.first) best = {gap.mean, result.strategy};
  }
  ChartSheet sheet{table.title, 2, {}};
  for (auto& [cost, chart] : charts) {
    chart.title = fmt::format("gap to the largest edge, Q S = {}", cost);
    chart.x_title = "round";
    sheet.charts.push_back(std::move(chart));
  }
  if (!sheet.charts.empty()) report.svg = chart_sheet_svg(sheet);
  for (const auto& [cost, best] : smallest)
    report.remarks.push_back(
        fmt::format("Q S = {}: the gap is smallest for: {} (in the paper: Laminating)", cost, best.second));
  return report;
}

}  // namespace mash
