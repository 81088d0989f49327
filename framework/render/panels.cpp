// SPDX-License-Identifier: Apache-2.0
#include "framework/render/panels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/render/html.hpp"

namespace mash {
namespace {

constexpr double kPanelWidth = 420, kPanelHeight = 300, kMargin = 60, kLegendWidth = 150;

struct Axis {
  double low = 0, high = 1;  // of log10 where it is logarithmic
  Scale scale = Scale::kLinear;

  double place(double value) const {
    const double x = scale == Scale::kLog ? std::log10(value) : value;
    return (x - low) / (high - low);
  }
  std::vector<double> ticks() const {
    const auto value = [&](double place) { return scale == Scale::kLog ? std::pow(10, place) : place; };
    return axis_ticks(value(low), value(high), scale);
  }
};

bool can_show(double value, Scale scale) {
  return std::isfinite(value) && (scale == Scale::kLinear || value > 0);
}

bool can_show(const Panel& panel, const PanelPoint& point) {
  return can_show(point.x, panel.x_scale) && can_show(point.y, panel.y_scale);
}

Axis axis_between(double low, double high, Scale scale) {
  if (!(low <= high)) return {};  // no points
  if (low == high) {              // one value: in the middle
    low = scale == Scale::kLog ? low / 2 : low - 0.5;
    high = scale == Scale::kLog ? high * 2 : high + 0.5;
  }
  if (scale == Scale::kLinear) return {low, high, scale};
  return {std::log10(low), std::log10(high), scale};
}

Axis axis_of(const Panel& panel, double PanelPoint::*member, Scale scale) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const PanelSeries& series : panel.series)
    for (const PanelPoint& point : series.points) {
      if (!can_show(panel, point)) continue;
      low = std::min(low, point.*member);
      high = std::max(high, point.*member);
    }
  return axis_between(low, high, scale);
}

// Where a panel's values are on the sheet.
struct Frame {
  double left, top;
  Axis x, y;

  double place_x(double value) const { return left + kPanelWidth * x.place(value); }
  double place_y(double value) const { return top + kPanelHeight * (1 - y.place(value)); }
};

Frame frame_of(const Panel& panel, double left, double top) {
  Frame frame{left, top, axis_of(panel, &PanelPoint::x, panel.x_scale),
              axis_of(panel, &PanelPoint::y, panel.y_scale)};
  if (panel.kind == Panel::Kind::kLines) return frame;
  frame.x.low -= 0.5;  // half a group of bars to either side
  frame.x.high += 0.5;
  frame.y.low = 0;
  return frame;
}

std::string tick_label(double tick) { return fmt::format("{:g}", tick == 0 ? 0.0 : tick); }  // without "-0"

Html grid(const Panel& panel, const Frame& frame) {
  const double bottom = frame.top + kPanelHeight, right = frame.left + kPanelWidth;
  Html svg = markup("<text x=\"{:.0f}\" y=\"{:.0f}\" class=\"title\">{}</text>\n", frame.left, frame.top - 12,
                    panel.title);
  svg +=
      markup("<text x=\"{:.0f}\" y=\"{:.0f}\" class=\"end\">{}</text>\n", right, bottom + 40, panel.x_title);
  for (const double tick : frame.x.ticks()) {
    svg += markup("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\"/>\n",
                  frame.place_x(tick), frame.top, bottom);
    svg += markup("<text x=\"{:.1f}\" y=\"{:.0f}\" class=\"middle\">{}</text>\n", frame.place_x(tick),
                  bottom + 18, tick_label(tick));
  }
  for (const double tick : frame.y.ticks()) {
    svg += markup("<line x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n", frame.left, right,
                  frame.place_y(tick));
    svg += markup("<text x=\"{:.0f}\" y=\"{:.1f}\" class=\"end\">{}</text>\n", frame.left - 8,
                  frame.place_y(tick) + 4, tick_label(tick));
  }
  return svg;
}

Html line_svg(const Panel& panel, const Frame& frame, const PanelSeries& series) {
  std::string points;
  for (const PanelPoint& point : series.points)
    if (can_show(panel, point))
      points += fmt::format("{:.1f},{:.1f} ", frame.place_x(point.x), frame.place_y(point.y));
  return markup(
      "<polyline points=\"{}\" stroke=\"{}\" stroke-dasharray=\"{}\"><title>{}</title></polyline>\n", points,
      series.colour, series.dash, series.name);
}

Html bars_svg(const Panel& panel, const Frame& frame, std::size_t series_idx) {
  const PanelSeries& series = panel.series[series_idx];
  const double group = 0.8, width = group / double(panel.series.size());  // in units of x
  Html svg = markup("<g fill=\"{}\"><title>{}</title>\n", series.colour, series.name);
  for (const PanelPoint& point : series.points) {
    if (!can_show(panel, point)) continue;
    const double x = point.x - group / 2 + width * double(series_idx), y = frame.place_y(point.y);
    svg += markup("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", frame.place_x(x),
                  y, frame.place_x(x + width) - frame.place_x(x), frame.place_y(0) - y);
  }
  svg += markup("</g>\n");
  return svg;
}

Html panel_svg(const Panel& panel, double left, double top) {
  const Frame frame = frame_of(panel, left, top);
  Html svg = grid(panel, frame);
  for (std::size_t i = 0; i < panel.series.size(); ++i)
    svg += panel.kind == Panel::Kind::kBars ? bars_svg(panel, frame, i)
                                            : line_svg(panel, frame, panel.series[i]);
  return svg;
}

Html legend_svg(const PanelSheet& sheet, double left, double top) {
  Html svg;
  std::vector<std::string_view> shown;
  for (const Panel& panel : sheet.panels)
    for (const PanelSeries& series : panel.series) {
      if (std::find(shown.begin(), shown.end(), series.name) != shown.end()) continue;
      const double y = top + 20 * double(shown.size());
      shown.push_back(series.name);
      svg +=
          markup("<polyline points=\"{:.0f},{:.0f} {:.0f},{:.0f}\" stroke=\"{}\" stroke-dasharray=\"{}\"/>\n",
                 left, y, left + 28, y, series.colour, series.dash);
      svg += markup("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", left + 36, y + 4, series.name);
    }
  return svg;
}

}  // namespace

std::string panel_sheet_svg(const PanelSheet& sheet) {
  constexpr double kColumn = kPanelWidth + 2 * kMargin, kRow = kPanelHeight + 2 * kMargin;
  const std::size_t num_columns = std::min(sheet.num_columns, sheet.panels.size());
  const std::size_t num_rows = (sheet.panels.size() + num_columns - 1) / num_columns;
  Html svg = markup(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "role=\"img\">\n<title>{}</title>\n",
      double(num_columns) * kColumn + kLegendWidth, double(num_rows) * kRow, sheet.title);
  svg += Html{
      "<style>\n"
      "svg { background: #fff; font: 13px system-ui, sans-serif; fill: #222; }\n"
      "line { stroke: #8886; } polyline { fill: none; stroke-width: 1.8; }\n"
      ".title { font-weight: 600; } .middle { text-anchor: middle; } .end { text-anchor: end; }\n"
      "@media (prefers-color-scheme: dark) { svg { background: #16181d; fill: #ddd; } }\n"
      "</style>\n"};
  for (std::size_t i = 0; i < sheet.panels.size(); ++i) {
    const std::size_t row = i / num_columns, column = i % num_columns;
    svg += panel_svg(sheet.panels[i], kMargin + double(column) * kColumn, kMargin + double(row) * kRow);
  }
  svg += legend_svg(sheet, double(num_columns) * kColumn - kMargin / 2, kMargin);
  return svg.markup + "</svg>\n";
}

}  // namespace mash
