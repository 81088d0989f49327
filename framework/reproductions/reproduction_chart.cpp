// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reproduction_chart.hpp"

#include <algorithm>
#include <array>

#include "framework/render/panels.hpp"

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
  PanelSeries look;                // without points
  std::vector<CurvePoint> points;  // means over the seeds
};

std::string_view colour_of(std::string_view sampler) {
  for (const Style& style : kStyles)
    if (sampler.starts_with(style.prefix)) return style.colour;
  return "#888888";
}

// The mean over the seeds at every round that all of them have.
std::vector<CurvePoint> mean_curve(const std::vector<std::vector<CurvePoint>>& curves) {
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
    lines.push_back(
        {{std::string(method.method.name), colour, kDashes[std::size_t(same) % kDashes.size()], {}},
         mean_curve(method.curves)});
  }
  return lines;
}

using Value = double (*)(const CurvePoint&);

Panel panel_of(const std::vector<Line>& lines, const char* title, Value y, Scale y_scale, const char* x_title,
               Value x) {
  Panel panel{title, x_title, Scale::kLog, y_scale, {}};
  for (const Line& line : lines) {
    PanelSeries& series = panel.series.emplace_back(line.look);
    for (const CurvePoint& point : line.points) series.points.push_back({x(point), y(point)});
  }
  return panel;
}

}  // namespace

std::string reproduction_svg(const Reproduction& reproduction) {
  const std::vector<Line> lines = lines_of(reproduction);
  const Value cost = [](const CurvePoint& p) { return double(p.cost); };
  const Value seconds = [](const CurvePoint& p) { return p.seconds; };
  const Value loss = [](const CurvePoint& p) { return p.train_loss_log10; };
  const Value error = [](const CurvePoint& p) { return 100 * p.test_error; };
  PanelSheet sheet{std::string(reproduction.table->title), 2, {}};
  for (const auto& [x_title, x] : {std::pair("cost", cost), std::pair("seconds", seconds)})
    sheet.panels.push_back(panel_of(lines, "training loss, log10", loss, Scale::kLinear, x_title, x));
  for (const auto& [x_title, x] : {std::pair("cost", cost), std::pair("seconds", seconds)})
    sheet.panels.push_back(panel_of(lines, "test error %", error, Scale::kLog, x_title, x));
  return panel_sheet_svg(sheet);
}

}  // namespace mash
