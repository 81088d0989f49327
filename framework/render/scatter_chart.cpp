// SPDX-License-Identifier: Apache-2.0
#include "framework/render/scatter_chart.hpp"

#include <algorithm>
#include <cmath>

namespace mash {
namespace {

constexpr double kWidth = 900, kHeight = 420, kLeft = 70, kRight = 30, kTop = 34, kBottom = 50;
constexpr double kLineHeight = 15;
constexpr double kLeastName = 60;  // as wide as a name may always be

std::vector<ScatterPoint> shown_points(const ScatterChart& chart) {
  std::vector<ScatterPoint> points;
  for (const ScatterPoint& point : chart.points) {
    if (std::isfinite(point.x) && point.x > 0 && std::isfinite(point.y)) points.push_back(point);
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const ScatterPoint& a, const ScatterPoint& b) { return a.x < b.x; });
  return points;
}

struct Axes {
  svg::Axis x{Scale::kLog, 1, 1, kLeft, kWidth - kRight}, y{Scale::kLinear, 0, 0, kHeight - kBottom, kTop};
};

Axes fit_axes(const std::vector<ScatterPoint>& points) {
  Axes axes;
  if (points.empty()) return axes;
  // Points do not lie on the border, and names of the front have room to the left.
  axes.x.low = points.front().x / 2.5;
  axes.x.high = points.back().x * 1.5;
  for (const ScatterPoint& point : points) {
    axes.y.low = std::min(axes.y.low, point.y);
    axes.y.high = std::max(axes.y.high, point.y);
  }
  axes.y.widen_to_steps(5);
  return axes;
}

// Steps: the largest y that is to be had for at most x.
Html draw_front(const std::vector<ScatterPoint>& points, const Axes& axes) {
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
Html front_name(const ScatterPoint& point, const Axes& axes, double& previous) {
  const double x = axes.x.place(point.x);
  const double y = std::min(axes.y.place(point.y) - 8, previous - kLineHeight);
  previous = y;
  return markup("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                point.is_own ? "strong own" : "strong", x, y,
                svg::shortened(point.name, std::max(kLeastName, x - kLeft)));
}

// The own name below its point, away from the front.
Html own_name(const ScatterPoint& point, const Axes& axes) {
  const double x = axes.x.place(point.x);
  const bool has_room = x + svg::text_width(point.name) < kWidth;
  return markup("<text class=\"strong own\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x,
                axes.y.place(point.y) + 20, has_room ? "start" : "end", point.name);
}

}  // namespace

Html scatter_chart_svg(const ScatterChart& chart) {
  const std::vector<ScatterPoint> points = shown_points(chart);
  const Axes axes = fit_axes(points);
  Html out = svg::open(kWidth, kHeight, chart.id, chart.title, chart.description);
  out += markup("<text x=\"0\" y=\"14\">{}</text>\n", chart.y_title);
  out += svg::vertical_axis(axes.y, kLeft, kWidth - kRight, chart.y_format);
  out += svg::horizontal_axis(axes.x, kHeight - kBottom, chart.x_title, Format::kDecimal);
  out += draw_front(points, axes);
  double previous = kHeight;
  for (const ScatterPoint& point : points) {
    out += markup("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
                  point.is_own ? "point own" : "point", axes.x.place(point.x), axes.y.place(point.y),
                  point.is_own ? 6.5 : 4.0, point.hover);
    if (point.is_on_front)
      out += front_name(point, axes, previous);
    else if (point.is_own)
      out += own_name(point, axes);
  }
  out += markup("</svg>\n");
  return out;
}

}  // namespace mash
