// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/chart.hpp"

#include <algorithm>
#include <array>

#include "framework/base/require.hpp"
#include "framework/render/chart_sheet.hpp"

namespace mash {
namespace {

// Colours of Okabe & Ito 2008, which colour-blind people can tell apart; methods of one kind share a colour
// and differ in their dashes.
struct Style {
  std::string_view prefix;  // of the sampler's name
  std::string_view colour;
};
constexpr std::array kStyles{Style{"laminating", "#d55e00"},    Style{"tasting.laminating", "#d55e00"},
                             Style{"mas", "#cc79a7"},           Style{"tasting", "#009e73"},
                             Style{"uniform", "#56b4e9"},       Style{"best-family", "#0072b2"},
                             Style{"ucb", "#e69f00"},           Style{"exp3.p", "#e69f00"},
                             Style{"epsilon-greedy", "#e69f00"}};
constexpr std::array<std::string_view, 3> kDashes{"none", "6 3", "2 3"};

struct Line {
  std::string name;
  SeriesLook look;
  std::vector<CurvePoint> points;  // means over the seeds
};

std::string_view colour_of(std::string_view sampler) {
  for (const Style& style : kStyles)
    if (sampler.starts_with(style.prefix)) return style.colour;
  return "#888888";
}

// The mean over the seeds at every round that all of them have.
std::vector<CurvePoint> mean_curve(const std::vector<std::vector<CurvePoint>>& curves) {
  require(!curves.empty(), "reproduction_svg: every method has a curve");
  std::vector<CurvePoint> means;
  for (const CurvePoint& first : curves[0]) {
    CurvePoint mean;
    mean.round = first.round;
    double cost = 0;
    std::size_t num_found = 0;
    for (const auto& curve : curves)
      for (const CurvePoint& point : curve)
        if (point.round == first.round) {
          ++num_found;
          mean.train_loss_log10 += point.train_loss_log10 / double(curves.size());
          mean.test_error += point.test_error / double(curves.size());
          mean.seconds += point.seconds / double(curves.size());
          cost += double(point.cost) / double(curves.size());
        }
    mean.cost = std::uint64_t(cost);
    if (num_found == curves.size()) means.push_back(mean);
  }
  return means;
}

std::vector<Line> lines_of(const Reproduction& reproduction) {
  std::vector<Line> lines;
  for (const ReproducedMethod& method : reproduction.methods) {
    const std::string_view colour = colour_of(method.method.sampler);
    const auto same = std::count_if(lines.begin(), lines.end(),
                                    [&](const Line& line) { return line.look.colour == colour; });
    lines.push_back({std::string(method.method.name),
                     {colour, kDashes[std::size_t(same) % kDashes.size()]},
                     mean_curve(method.curves)});
  }
  return lines;
}

using Value = double (*)(const CurvePoint&);

// One value of the points of a curve, as an axis shows it.
struct Measure {
  const char* title;
  Value value;
  Scale scale;
};

LineChart chart_of(const std::vector<Line>& lines, const Measure& x, const Measure& y) {
  LineChart chart;
  chart.title = y.title;
  chart.x_title = x.title;
  chart.x_scale = x.scale;
  chart.y_scale = y.scale;
  for (const Line& line : lines) {
    ChartSeries& series = chart.series.emplace_back(ChartSeries{line.name, {}, line.look});
    for (const CurvePoint& point : line.points) series.points.push_back({x.value(point), y.value(point), ""});
  }
  return chart;
}

}  // namespace

std::string reproduction_svg(const Reproduction& reproduction) {
  const std::vector<Line> lines = lines_of(reproduction);
  const Measure cost{"cost", [](const CurvePoint& p) { return double(p.cost); }, Scale::kLog};
  const Measure seconds{"seconds", [](const CurvePoint& p) { return p.seconds; }, Scale::kLog};
  const Measure loss{"training loss, log10", [](const CurvePoint& p) { return p.train_loss_log10; },
                     Scale::kLinear};
  const Measure error{"test error %", [](const CurvePoint& p) { return 100 * p.test_error; }, Scale::kLog};
  ChartSheet sheet{std::string(reproduction.table->title), 2, {}};
  for (const Measure& y : {loss, error})
    for (const Measure& x : {cost, seconds}) sheet.charts.push_back(chart_of(lines, x, y));
  return chart_sheet_svg(sheet);
}

}  // namespace mash
