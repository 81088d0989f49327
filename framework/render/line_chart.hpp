// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/render/svg.hpp"

namespace mash {

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string hover;      // shown when the pointer rests on it; points without are part of the line only
  double half_width = 0;  // of the band around the line, or of the bar through a dot; 0: none here
};

// How a line or its bars are drawn. Without a colour the page's style sheet says it, for up to three series.
struct SeriesLook {
  std::string_view colour = {};    // "#d55e00"
  std::string_view dash = "none";  // as of stroke-dasharray
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  // in order of x; those that the axes cannot show are left out
  SeriesLook look = {};
};

// Lines, bars or dots over a common x. `id` names the picture within its page; `description` is what somebody
// hears who cannot see it.
struct LineChart {
  // Bars: series side by side at each x = 1, 2, ..., heights from 0. Dots: each with its hover beside it
  // where there is room, and no line from one to the next.
  enum class Mark { kLines, kBars, kDots };
  std::string id, title, description;
  std::string x_title;
  Scale x_scale = Scale::kLinear, y_scale = Scale::kLinear;
  Format y_format = Format::kDecimal;
  bool y_from_zero = false;
  Mark mark = Mark::kLines;
  std::vector<ChartSeries> series;
};
// For a page with the style sheet of style.hpp: heading, legend from two series on, plot.
Html line_chart_svg(const LineChart& chart, Room room = Room::kWide);
// The numbers are those of the points with a hover, where some have one, else those of all.
Plot plot_of(const LineChart& chart);

}  // namespace mash

// Parts of charts, on a page and on a sheet of several.
namespace mash::svg {

// Where the values of a chart are drawn: between the axes.
struct PlotArea {
  double left = 0, right = 0, top = 0, bottom = 0;
  bool has_x_grid = false;  // lines up from the ticks of x
};
// The axes with their ticks and titles, and the series.
Html plot(const LineChart& chart, const PlotArea& area);

// A piece of the series' line with its name at its right; x, y: where the line begins. series_idx: its place
// among the chart's series.
Html legend_entry(const ChartSeries& series, std::size_t series_idx, double x, double y);

}  // namespace mash::svg
