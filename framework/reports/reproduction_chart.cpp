// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/reproduction_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "framework/reports/chart.hpp"
#include "framework/reports/html.hpp"

namespace mash {
namespace {

constexpr double kPanelWidth = 420, kPanelHeight = 300, kMargin = 60, kLegendWidth = 130;

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
  std::string_view colour, dash;
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
    const auto same =
        std::count_if(lines.begin(), lines.end(), [&](const Line& line) { return line.colour == colour; });
    lines.push_back({std::string(method.method.name), colour, kDashes[std::size_t(same) % kDashes.size()],
                     mean_curve(method.curves)});
  }
  return lines;
}

struct Axis {
  double low = 0, high = 1;  // of log10 where it is logarithmic
  Scale scale = Scale::kLog;

  double place(double value) const {
    const double x = scale == Scale::kLog ? std::log10(value) : value;
    return (x - low) / (high - low);
  }
};

using Value = double (*)(const CurvePoint&);

Axis axis_of(const std::vector<Line>& lines, Value value, Scale scale) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Line& line : lines)
    for (const CurvePoint& point : line.points) {
      const double x = value(point);
      if (scale == Scale::kLog && x <= 0) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
  if (!(low < high)) return {0, 1, Scale::kLinear};
  if (scale == Scale::kLinear) return {low, high, scale};
  return {std::log10(low), std::log10(high), scale};
}

struct Panel {
  std::string_view title, x_title;
  Value x, y;
  Scale y_scale;
};

Html panel_svg(const Panel& panel, const std::vector<Line>& lines, double left, double top) {
  const Axis x = axis_of(lines, panel.x, Scale::kLog), y = axis_of(lines, panel.y, panel.y_scale);
  const auto place_x = [&](double value) { return left + kPanelWidth * x.place(value); };
  const auto place_y = [&](double value) { return top + kPanelHeight * (1 - y.place(value)); };
  Html svg =
      markup("<text x=\"{:.0f}\" y=\"{:.0f}\" class=\"title\">{}</text>\n", left, top - 12, panel.title);
  svg += markup("<text x=\"{:.0f}\" y=\"{:.0f}\" class=\"end\">{}</text>\n", left + kPanelWidth,
                top + kPanelHeight + 40, panel.x_title);
  const auto value = [](const Axis& axis, double place) {
    return axis.scale == Scale::kLog ? std::pow(10, place) : place;
  };
  for (const double tick : axis_ticks(value(x, x.low), value(x, x.high), x.scale)) {
    svg += markup("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\"/>\n", place_x(tick), top,
                  top + kPanelHeight);
    svg += markup("<text x=\"{:.1f}\" y=\"{:.0f}\" class=\"middle\">{}</text>\n", place_x(tick),
                  top + kPanelHeight + 18, show(Cell(tick), Format::kDecimal));
  }
  for (const double tick : axis_ticks(value(y, y.low), value(y, y.high), y.scale)) {
    svg += markup("<line x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n", left,
                  left + kPanelWidth, place_y(tick));
    svg += markup("<text x=\"{:.0f}\" y=\"{:.1f}\" class=\"end\">{}</text>\n", left - 8, place_y(tick) + 4,
                  show(Cell(tick), Format::kDecimal));
  }
  for (const Line& line : lines) {
    std::string points;
    for (const CurvePoint& point : line.points) {
      if (panel.x(point) <= 0 || (panel.y_scale == Scale::kLog && panel.y(point) <= 0)) continue;
      points += fmt::format("{:.1f},{:.1f} ", place_x(panel.x(point)), place_y(panel.y(point)));
    }
    svg +=
        markup("<polyline points=\"{}\" stroke=\"{}\" stroke-dasharray=\"{}\"><title>{}</title></polyline>\n",
               points, line.colour, line.dash, line.name);
  }
  return svg;
}

Html legend_svg(const std::vector<Line>& lines, double left, double top) {
  Html svg;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double y = top + 20 * double(i);
    svg +=
        markup("<polyline points=\"{:.0f},{:.0f} {:.0f},{:.0f}\" stroke=\"{}\" stroke-dasharray=\"{}\"/>\n",
               left, y, left + 28, y, lines[i].colour, lines[i].dash);
    svg += markup("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", left + 36, y + 4, lines[i].name);
  }
  return svg;
}

}  // namespace

std::string reproduction_svg(const Reproduction& reproduction) {
  constexpr std::array kPanels{
      Panel{"training loss, log10", "cost", [](const CurvePoint& p) { return double(p.cost); },
            [](const CurvePoint& p) { return p.train_loss_log10; }, Scale::kLinear},
      Panel{"training loss, log10", "seconds", [](const CurvePoint& p) { return p.seconds; },
            [](const CurvePoint& p) { return p.train_loss_log10; }, Scale::kLinear},
      Panel{"test error %", "cost", [](const CurvePoint& p) { return double(p.cost); },
            [](const CurvePoint& p) { return 100 * p.test_error; }, Scale::kLog},
      Panel{"test error %", "seconds", [](const CurvePoint& p) { return p.seconds; },
            [](const CurvePoint& p) { return 100 * p.test_error; }, Scale::kLog}};
  const std::vector<Line> lines = lines_of(reproduction);
  const double width = 2 * (kPanelWidth + 2 * kMargin) + kLegendWidth,
               height = 2 * (kPanelHeight + 2 * kMargin);
  Html svg = markup(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "role=\"img\">\n<title>{}</title>\n",
      width, height, reproduction.table->title);
  svg += Html{
      "<style>\n"
      "svg { background: #fff; font: 13px system-ui, sans-serif; fill: #222; }\n"
      "line { stroke: #8886; } polyline { fill: none; stroke-width: 1.8; }\n"
      ".title { font-weight: 600; } .middle { text-anchor: middle; } .end { text-anchor: end; }\n"
      "@media (prefers-color-scheme: dark) { svg { background: #16181d; fill: #ddd; } }\n"
      "</style>\n"};
  for (std::size_t i = 0; i < kPanels.size(); ++i)
    svg += panel_svg(kPanels[i], lines, kMargin + double(i % 2) * (kPanelWidth + 2 * kMargin),
                     kMargin + double(i / 2) * (kPanelHeight + 2 * kMargin));
  svg += legend_svg(lines, 2 * (kPanelWidth + 2 * kMargin) - kMargin / 2, kMargin);
  return svg.markup + "</svg>\n";
}

}  // namespace mash
