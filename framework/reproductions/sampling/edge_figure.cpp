// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/edge_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "classifiers/samplers/mixture.hpp"
#include "framework/render/chart_sheet.hpp"
#include "framework/reproductions/sampling/edge_gap.hpp"

namespace mash {
namespace {

constexpr std::array kVariances{1e-2, 1e-4};
constexpr std::array kCosts{1e3, 1e4, 1e5};
constexpr std::array<std::string_view, 4> kEdgeColours{"#0072b2", "#009e73", "#d55e00", "#cc79a7"};
constexpr std::uint32_t kTrials = 4000;
constexpr int kStepsPerDecade = 8;

double expected(double variance, double num_features, double num_examples) {
  return expected_edge({{{1, 0, variance}}}, num_features, 1 / num_examples);
}

// Q = 1, ..., in steps of 10^(1/8), rounded, each once.
std::vector<double> feature_counts(double largest) {
  std::vector<double> counts;
  for (int i = 0;; ++i) {
    const double count = std::round(std::pow(10, double(i) / kStepsPerDecade));
    if (count > largest) return counts;
    if (counts.empty() || count > counts.back()) counts.push_back(count);
  }
}

LineChart chart_over_q(std::string title) {
  LineChart chart;
  chart.title = std::move(title);
  chart.x_title = std::string("Q");
  chart.x_scale = Scale::kLog;
  return chart;
}

// The expectation against Q, one line per fixed cost, with what simulation gives beside it.
LineChart cost_chart(double variance) {
  LineChart chart = chart_over_q(fmt::format("E[edge] at fixed cost, variance {:g}", variance));
  for (std::size_t i = 0; i < kCosts.size(); ++i) {
    ChartSeries series{fmt::format("Q S = {:g}", kCosts[i]), {}, {kEdgeColours[i]}};
    for (const double q : feature_counts(kCosts[i]))
      series.points.push_back({q, expected(variance, q, kCosts[i] / q), ""});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// The surface over Q and S, as one line per S.
LineChart surface_chart(double variance) {
  constexpr std::array kExamples{10., 100., 1000., 10000.};
  constexpr std::array<std::string_view, 4> kDashes{"1 3", "3 3", "6 3", "12 3"};
  LineChart chart = chart_over_q(fmt::format("E[edge] over Q and S, variance {:g}", variance));
  for (std::size_t i = 0; i < kExamples.size(); ++i) {
    ChartSeries series{fmt::format("S = {:g}", kExamples[i]), {}, {"#888888", kDashes[i]}};
    for (const double q : feature_counts(1e4))
      series.points.push_back({q, expected(variance, q, kExamples[i]), ""});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

BestSplit best_split(double variance, double cost) {
  BestSplit best;
  for (const double q : feature_counts(cost)) {
    const double edge = expected(variance, q, cost / q);
    if (edge > best.expected_edge) best = {q, cost / q, edge};
  }
  return best;
}

ReproductionReport edge_figure_report(std::uint64_t seed) {
  ReproductionReport report;
  report.name = "figure1";
  Table& table = report.table;
  table.title = "Expected edge of the selected learner at fixed cost, Dubout & Fleuret 2014, Figure 1";
  table.columns = {{"variance", "variance of edges", Format::kDecimal},
                   {"cost", "Q S", Format::kCount},
                   {"num_features", "best Q", Format::kCount},
                   {"num_examples", "S", Format::kDecimal},
                   {"expected_edge", "E[edge], quadrature", Format::kDecimal},
                   {"simulated_edge", "simulated", Format::kDecimal},
                   {"standard_error", "standard error", Format::kDecimal}};
  std::array<std::array<double, kCosts.size()>, kVariances.size()> best_q{};
  int num_agreeing = 0;
  for (std::size_t v = 0; v < kVariances.size(); ++v)
    for (std::size_t c = 0; c < kCosts.size(); ++c) {
      const BestSplit best = best_split(kVariances[v], kCosts[c]);
      best_q[v][c] = best.num_features;
      RandomStream stream(seed, "figure1", v * kCosts.size() + c);
      const SimulatedEdge simulated = simulate_edge(kVariances[v], std::uint64_t(best.num_features),
                                                    1 / best.num_examples, kTrials, stream);
      num_agreeing += std::abs(simulated.mean - best.expected_edge) <= 3 * simulated.standard_error;
      table.rows.push_back({kVariances[v], std::int64_t(kCosts[c]), std::int64_t(best.num_features),
                            best.num_examples, best.expected_edge, simulated.mean, simulated.standard_error});
    }
  int num_larger = 0;
  for (std::size_t c = 0; c < kCosts.size(); ++c) num_larger += best_q[0][c] > best_q[1][c];
  report.remarks = {
      fmt::format("\"the optimal value for Q is greater for larger variances\": {} at {} of {} costs",
                  num_larger == kCosts.size() ? "holds" : "does not hold", num_larger, kCosts.size()),
      fmt::format("simulation and quadrature agree within three standard errors in {} of {} cases",
                  num_agreeing, kVariances.size() * kCosts.size())};
  ChartSheet sheet{table.title, 2, {}};
  for (const double variance : kVariances) {
    sheet.charts.push_back(surface_chart(variance));
    sheet.charts.push_back(cost_chart(variance));
  }
  report.svg = chart_sheet_svg(sheet);
  return report;
}

}  // namespace mash
