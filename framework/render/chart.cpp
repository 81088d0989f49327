// SPDX-License-Identifier: Apache-2.0
#include "framework/render/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace mash {
namespace {

// Lengths are in the units of the viewBox, about pixels at the usual size.
constexpr double kWidth = 520, kHeight = 320;
constexpr double kLeft = 58, kRight = 14, kTop = 58, kBottom = 46;
constexpr double kBarWidth = 900, kBarStep = 26, kBarHeight = 14, kLabelWidth = 220, kTextWidth = 160;
constexpr std::array<const char*, 3> kSeriesClasses = {"first", "second", "third"};

bool is_shown(const ChartPoint& point, Scale x_scale) {
  return std::isfinite(point.x) && std::isfinite(point.y) && (x_scale == Scale::kLinear || point.x > 0);
}

struct Axes {
  svg::Axis x, y;
};

Axes fit_axes(const LineChart& chart) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Axes axes{{chart.x_scale, kInfinity, -kInfinity, kLeft, kWidth - kRight},
            {Scale::kLinear, kInfinity, -kInfinity, kHeight - kBottom, kTop}};
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      if (!is_shown(point, chart.x_scale)) continue;
      axes.x.low = std::min(axes.x.low, point.x);
      axes.x.high = std::max(axes.x.high, point.x);
      axes.y.low = std::min(axes.y.low, point.y - point.half_width);
      axes.y.high = std::max(axes.y.high, point.y + point.half_width);
    }
  }
  if (axes.x.low > axes.x.high) axes.x.low = axes.x.high = axes.y.low = axes.y.high = 1;
  if (chart.y_from_zero) axes.y.low = 0;
  axes.y.widen_to_steps(5);
  return axes;
}

Html grid(const LineChart& chart, const Axes& axes) {
  Html out = svg::vertical_axis(axes.y, kLeft, kWidth - kRight, chart.y_format);
  out += svg::horizontal_axis(axes.x, kHeight - kBottom, chart.x_title, Format::kDecimal);
  return out;
}

// The band goes along its upper ends and back along its lower ones.
Html draw_band(const ChartSeries& series, const char* css_class, const Axes& axes) {
  std::string there, back;
  for (const ChartPoint& point : series.points) {
    if (!is_shown(point, axes.x.scale)) continue;
    const double x = axes.x.place(point.x);
    const double high = std::min(point.y + point.half_width, axes.y.high);
    const double low = std::max(point.y - point.half_width, axes.y.low);
    there += fmt::format("{:.1f},{:.1f} ", x, axes.y.place(high));
    back.insert(0, fmt::format("{:.1f},{:.1f} ", x, axes.y.place(low)));
  }
  return markup("<polygon class=\"band {}\" points=\"{}\"/>\n", css_class, there + back);
}

bool has_band(const ChartSeries& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const ChartPoint& point) { return point.half_width > 0; });
}

Html draw_series(const ChartSeries& series, const char* css_class, const Axes& axes) {
  std::string line;
  Html dots;
  for (const ChartPoint& point : series.points) {
    if (!is_shown(point, axes.x.scale)) continue;
    const double x = axes.x.place(point.x), y = axes.y.place(point.y);
    line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", x, y);
    if (point.hover.empty()) continue;
    dots +=
        markup("<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"><title>{}</title></circle>\n",
               css_class, x, y, point.hover);
  }
  Html out = markup("<polyline class=\"curve {}\" points=\"{}\"/>\n", css_class, line);
  out += dots;
  return out;
}

// One key per line, side by side below the title; a single line needs none.
Html legend(const LineChart& chart) {
  Html out;
  if (chart.series.size() < 2) return out;
  double x = kLeft;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const std::string& name = chart.series[i].name;
    out += markup("<line class=\"curve {}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"38\" y2=\"38\"/>",
                  kSeriesClasses[i], x, x + 24);
    out += markup("<text x=\"{:.1f}\" y=\"42.5\">{}</text>\n", x + 30, name);
    x += 54 + svg::text_width(name);
  }
  return out;
}

}  // namespace

Html line_chart_svg(const LineChart& chart) {
  const Axes axes = fit_axes(chart);
  Html out = svg::open(kWidth, kHeight, chart.id, chart.title, chart.description);
  out += markup("<text class=\"heading\" x=\"0\" y=\"16\">{}</text>\n", chart.title);
  out += legend(chart);
  out += grid(chart, axes);
  const std::size_t num_series = std::min(chart.series.size(), kSeriesClasses.size());
  for (std::size_t i = 0; i < num_series; ++i) {
    if (has_band(chart.series[i])) out += draw_band(chart.series[i], kSeriesClasses[i], axes);
  }
  for (std::size_t i = 0; i < num_series; ++i) {
    out += draw_series(chart.series[i], kSeriesClasses[i], axes);
  }
  out += markup("</svg>\n");
  return out;
}

Html bar_chart_svg(const BarChart& chart) {
  double largest = 0;
  for (const Bar& bar : chart.bars) largest = std::max(largest, bar.value);
  const double room = kBarWidth - kLabelWidth - kTextWidth;
  Html out =
      svg::open(kBarWidth, kBarStep * double(chart.bars.size()), chart.id, chart.title, chart.description);
  double top = 0;
  for (const Bar& bar : chart.bars) {
    const double length = largest > 0 ? bar.value / largest * room : 0;
    const double baseline = top + kBarStep / 2 + 4.5;
    out += markup("<g><title>{}</title>", bar.hover);
    out += markup("<text class=\"strong\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                  kLabelWidth - 10, baseline, svg::shortened(bar.label, kLabelWidth - 10));
    out +=
        markup("<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\"/>",
               kLabelWidth, top + (kBarStep - kBarHeight) / 2, length, kBarHeight);
    out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n", kLabelWidth + length + 8, baseline,
                  bar.text);
    top += kBarStep;
  }
  out += markup("</svg>\n");
  return out;
}

}  // namespace mash
