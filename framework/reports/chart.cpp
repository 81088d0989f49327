// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/chart.hpp"

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
constexpr double kCharacterWidth = 7;
constexpr std::array<const char*, 3> kSeriesClasses = {"first", "second", "third"};

// The largest of 1, 2 or 5 x 10^k at or below `value`, or the smallest at or above it.
double round_step(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= value * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::vector<double> linear_ticks(double low, double high, int target) {
  const double step = round_step((high - low) / target);
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  for (double i = std::ceil((low - slack) / step); i * step <= high + slack; ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> log_ticks(double low, double high, int target) {
  const int first = int(std::floor(std::log10(low))), last = int(std::ceil(std::log10(high)));
  const auto collect = [&](std::initializer_list<double> factors, int stride) {
    std::vector<double> ticks;
    for (int k = first; k <= last; k += stride) {
      for (const double factor : factors) {
        const double tick = factor * std::pow(10, k);
        if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
      }
    }
    return ticks;
  };
  auto ticks = collect({1, 2, 5}, 1);
  for (int stride = 1; int(ticks.size()) > 2 * target && stride <= last - first + 1; ++stride)
    ticks = collect({1}, stride);
  return ticks;
}

// Data to places on the picture.
struct Axis {
  Scale scale = Scale::kLinear;
  double low = 0, high = 1;   // of the data shown
  double begin = 0, end = 1;  // places of low and high

  double place(double value) const {
    const auto transformed = [&](double v) { return scale == Scale::kLog ? std::log10(v) : v; };
    if (high == low) return (begin + end) / 2;
    const double share = (transformed(value) - transformed(low)) / (transformed(high) - transformed(low));
    return begin + share * (end - begin);
  }
};

bool is_shown(const ChartPoint& point, Scale x_scale) {
  return std::isfinite(point.x) && std::isfinite(point.y) && (x_scale == Scale::kLinear || point.x > 0);
}

struct Axes {
  Axis x, y;
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
      axes.y.low = std::min(axes.y.low, point.y);
      axes.y.high = std::max(axes.y.high, point.y);
    }
  }
  if (axes.x.low > axes.x.high) axes.x.low = axes.x.high = axes.y.low = axes.y.high = 1;
  if (chart.y_from_zero) axes.y.low = 0;
  if (axes.y.low < axes.y.high) {
    const double step = round_step((axes.y.high - axes.y.low) / 5);
    axes.y.low = std::floor(axes.y.low / step + 1e-9) * step;
    axes.y.high = std::ceil(axes.y.high / step - 1e-9) * step;
  }
  return axes;
}

std::string tick_label(double value, Format format) {
  if (std::abs(value) < 1e-12) value = 0;
  const char* sign = value < 0 ? "−" : "";  // a true minus is as wide as a plus
  const double size = std::abs(value);
  return format == Format::kPercent ? fmt::format("{}{:.4g} %", sign, 100 * size)
                                    : fmt::format("{}{:.6g}", sign, size);
}

Html grid(const LineChart& chart, const Axes& axes) {
  Html out;
  for (const double tick : axis_ticks(axes.y.low, axes.y.high, Scale::kLinear, 5)) {
    const double y = axes.y.place(tick);
    out += markup("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft,
                  kWidth - kRight, y, y);
    out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 8, y + 4.5,
                  tick_label(tick, chart.y_format));
  }
  const double bottom = kHeight - kBottom;
  out += markup("<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kLeft,
                kWidth - kRight, bottom, bottom);
  for (const double tick : axis_ticks(axes.x.low, axes.x.high, chart.x_scale)) {
    const double x = axes.x.place(tick);
    out += markup("<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", x, x,
                  bottom, bottom + 5);
    out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x, bottom + 20,
                  tick_label(tick, Format::kDecimal));
  }
  out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                (kLeft + kWidth - kRight) / 2, kHeight - 4, chart.x_title);
  return out;
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
    x += 54 + kCharacterWidth * double(name.size());
  }
  return out;
}

Html open_svg(double width, double height, const std::string& id, const std::string& title,
              const std::string& description) {
  return markup(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}-title {}-desc\">\n"
      "<title id=\"{}-title\">{}</title>\n<desc id=\"{}-desc\">{}</desc>\n",
      width, height, id, id, id, title, id, description);
}

std::string shortened(const std::string& label, double width) {
  const auto limit = std::size_t(width / kCharacterWidth);
  if (label.size() <= limit) return label;
  std::size_t end = limit - 1;
  while (end > 0 && (label[end] & 0xC0) == 0x80) --end;  // not inside a character
  return label.substr(0, end) + "…";
}

}  // namespace

std::vector<double> axis_ticks(double low, double high, Scale scale, int target) {
  if (low == high) return {low};
  return scale == Scale::kLog ? log_ticks(low, high, target) : linear_ticks(low, high, target);
}

Html line_chart_svg(const LineChart& chart) {
  const Axes axes = fit_axes(chart);
  Html out = open_svg(kWidth, kHeight, chart.id, chart.title, chart.description);
  out += markup("<text class=\"heading\" x=\"0\" y=\"16\">{}</text>\n", chart.title);
  out += legend(chart);
  out += grid(chart, axes);
  for (std::size_t i = 0; i < std::min(chart.series.size(), kSeriesClasses.size()); ++i) {
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
      open_svg(kBarWidth, kBarStep * double(chart.bars.size()), chart.id, chart.title, chart.description);
  double top = 0;
  for (const Bar& bar : chart.bars) {
    const double length = largest > 0 ? bar.value / largest * room : 0;
    const double baseline = top + kBarStep / 2 + 4.5;
    out += markup("<g><title>{}</title>", bar.hover);
    out += markup("<text class=\"strong\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                  kLabelWidth - 10, baseline, shortened(bar.label, kLabelWidth - 10));
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
