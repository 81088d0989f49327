// SPDX-License-Identifier: Apache-2.0
#include "framework/render/forest_plot.hpp"

#include <algorithm>
#include <cmath>

namespace mash {
namespace {

constexpr double kWidth = 900, kLeft = 270, kRight = 170, kTop = 10, kRowHeight = 42, kBottom = 52;
constexpr double kSquare = 4.5, kCap = 5, kDotsBelow = 11;

void widen(svg::Axis& axis, double value) {
  if (!std::isfinite(value)) return;
  axis.low = std::min(axis.low, value);
  axis.high = std::max(axis.high, value);
}

svg::Axis fit_axis(const ForestPlot& plot) {
  svg::Axis axis{Scale::kLinear, 0, 0, kLeft, kWidth - kRight};
  for (const ForestRow& row : plot.rows) {
    const double half_width = row.mean.half_width.value_or(0);
    widen(axis, row.mean.mean - half_width);
    widen(axis, row.mean.mean + half_width);
    for (const double value : row.values) widen(axis, value);
  }
  axis.widen_to_steps(6);
  return axis;
}

Html interval(const Estimate& mean, const svg::Axis& axis, double y) {
  const double low = axis.place(mean.mean - *mean.half_width);
  const double high = axis.place(mean.mean + *mean.half_width);
  Html out = svg::line("interval", low, y, high, y);
  for (const double end : {low, high}) out += svg::line("interval", end, y - kCap, end, y + kCap);
  return out;
}

Html draw_row(const ForestRow& row, const svg::Axis& axis, double y) {
  Html out = markup("<g><title>{}: {}</title>", row.label, row.text);
  out += markup("<text class=\"strong\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kLeft - 14,
                y + 4.5, svg::shortened(row.label, kLeft - 14));
  if (std::isfinite(row.mean.mean)) {
    if (row.mean.half_width && std::isfinite(*row.mean.half_width)) out += interval(row.mean, axis, y);
    out += markup("<rect class=\"mean\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                  axis.place(row.mean.mean) - kSquare, y - kSquare, 2 * kSquare, 2 * kSquare);
  }
  for (const double value : row.values) {
    if (std::isfinite(value))
      out += markup("<circle class=\"seed\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", axis.place(value),
                    y + kDotsBelow);
  }
  out += markup("<text class=\"strong\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n", kWidth - kRight + 14,
                y + 4.5, row.text);
  return out;
}

}  // namespace

Html forest_plot_svg(const ForestPlot& plot) {
  const svg::Axis axis = fit_axis(plot);
  const double bottom = kTop + kRowHeight * double(plot.rows.size());
  Html out = svg::open(kWidth, bottom + kBottom, plot.id, plot.title, plot.description);
  out += svg::horizontal_axis(axis, bottom, plot.x_title, plot.x_format);
  out += svg::line("zero", axis.place(0), kTop, axis.place(0), bottom);
  for (std::size_t i = 0; i < plot.rows.size(); ++i)
    out += draw_row(plot.rows[i], axis, kTop + kRowHeight * (double(i) + 0.4));
  out += markup("</svg>\n");
  return out;
}

}  // namespace mash
