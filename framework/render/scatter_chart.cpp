// SPDX-License-Identifier: Apache-2.0
#include "framework/render/scatter_chart.hpp"

#include <algorithm>
#include <cmath>

namespace mash {
namespace {

constexpr double kScatterTop = 34, kScatterBottom = 50;
struct ScatterLayout {
  double width, height, left, right;  // right: where the axis of x ends, with room for half a label
};
constexpr ScatterLayout kScatterWide{900, 420, 70, 870}, kScatterNarrow{400, 340, 52, 380};

// A value so little below 0 needs no axis that begins a whole step below it.
constexpr double kHardlyNegative = 0.02;  // of the largest
constexpr double kLineHeight = 15;
constexpr double kLeastName = 60;  // as wide as a name may always be
// More points have names on the front alone: the others would lie upon each other.
constexpr std::size_t kMostNames = 12;

std::vector<ScatterPoint> shown_points(const ScatterChart& chart) {
  std::vector<ScatterPoint> points;
  for (const ScatterPoint& point : chart.points) {
    if (std::isfinite(point.x) && point.x > 0 && std::isfinite(point.y)) points.push_back(point);
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const ScatterPoint& a, const ScatterPoint& b) { return a.x < b.x; });
  return points;
}

struct ScatterAxes {
  svg::Axis x, y;
};

ScatterAxes fit_scatter_axes(const std::vector<ScatterPoint>& points, const ScatterLayout& layout) {
  ScatterAxes axes{{Scale::kLog, 1, 1, layout.left, layout.right},
                   {Scale::kLinear, 0, 0, layout.height - kScatterBottom, kScatterTop}};
  if (points.empty()) return axes;
  // Points do not lie on the border, and names of the front have room to the left.
  axes.x.low = points.front().x / 2.5;
  axes.x.high = points.back().x * 1.5;
  for (const ScatterPoint& point : points) {
    axes.y.low = std::min(axes.y.low, point.y);
    axes.y.high = std::max(axes.y.high, point.y);
  }
  if (-axes.y.low < kHardlyNegative * axes.y.high) axes.y.low = 0;
  axes.y.widen_to_steps(5);
  return axes;
}

// Steps: the largest y that is to be had for at most x.
Html draw_front(const std::vector<ScatterPoint>& points, const ScatterAxes& axes) {
  std::string path;
  double height = 0;
  for (const ScatterPoint& point : points) {
    if (!point.is_on_front) continue;
    const double x = axes.x.place(point.x), y = axes.y.place(point.y);
    if (!path.empty()) path += fmt::format(" {:.1f},{:.1f}", x, height);
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", x, y);
    height = y;
  }
  if (path.empty()) return {};
  path += fmt::format(" {:.1f},{:.1f}", axes.x.end, height);
  return markup("<polyline class=\"curve front\" points=\"{}\"/>\n", path);
}

// A name above the front, where no point lies, and above the name before it. previous: its baseline's height.
Html front_name(const ScatterPoint& point, const ScatterAxes& axes, double& previous) {
  const double x = axes.x.place(point.x);
  const double y = std::min(axes.y.place(point.y) - 8, previous - kLineHeight);
  previous = y;
  return markup("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                point.is_own ? "strong own" : "strong", x, y,
                svg::shortened(point.name, std::max(kLeastName, x - axes.x.begin)));
}

// A name below its point, away from the front, or above it where the axis is below.
Html name_below(const ScatterPoint& point, const ScatterAxes& axes) {
  constexpr double kBelow = 20, kAbove = 10;
  const double x = axes.x.place(point.x), y = axes.y.place(point.y);
  const bool has_room = x + svg::text_width(point.name) < axes.x.end;
  return markup("<text{} x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                point.is_own ? markup(" class=\"strong own\"") : Html{}, x,
                y + kBelow < axes.y.begin ? y + kBelow : y - kAbove, has_room ? "start" : "end", point.name);
}

}  // namespace

Html scatter_chart_svg(const ScatterChart& chart, Room room) {
  const ScatterLayout& layout = room == Room::kWide ? kScatterWide : kScatterNarrow;
  const std::vector<ScatterPoint> points = shown_points(chart);
  const ScatterAxes axes = fit_scatter_axes(points, layout);
  Html out =
      svg::open(layout.width, layout.height, svg::id_in(room, chart.id), chart.title, chart.description);
  out += markup("<text x=\"0\" y=\"14\">{}</text>\n", chart.y_title);
  out += svg::vertical_axis(axes.y, layout.left, layout.right, chart.y_format);
  out += svg::horizontal_axis(axes.x, layout.height - kScatterBottom, chart.x_title, Format::kDecimal);
  out += draw_front(points, axes);
  double previous = layout.height;
  for (const ScatterPoint& point : points) {
    out += markup("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
                  point.is_own ? "point own" : "point", axes.x.place(point.x), axes.y.place(point.y),
                  point.is_own ? 6.5 : 4.0, point.hover);
    if (room == Room::kNarrow && !point.is_own) continue;
    if (point.is_on_front)
      out += front_name(point, axes, previous);
    else if (point.is_own || points.size() <= kMostNames)
      out += name_below(point, axes);
  }
  out += markup("</svg>\n");
  return out;
}

Plot plot_of(const ScatterChart& chart) {
  Table numbers;
  numbers.columns = {{"name", "", Format::kText},
                     {svg::key_of(chart.x_title), chart.x_title, Format::kDecimal},
                     {svg::key_of(chart.y_title), chart.y_title, chart.y_format},
                     {"front", "on the front", Format::kText}};
  for (const ScatterPoint& point : chart.points)
    numbers.rows.push_back({point.name, point.x, point.y, std::string(point.is_on_front ? "yes" : "no")});
  return {chart.id,
          chart.title,
          chart.description,
          scatter_chart_svg(chart, Room::kWide),
          scatter_chart_svg(chart, Room::kNarrow),
          std::move(numbers)};
}

}  // namespace mash
