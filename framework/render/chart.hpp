// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/render/svg.hpp"

namespace mash {

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string hover;      // shown when the pointer rests on it; points without are part of the line only
  double half_width = 0;  // of the band around the line, as of an interval; 0: none here
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  // in order of x; those with values that are not finite are left out
};

// Up to three lines over a common x. `id` names the picture within its page; `description` is what somebody
// hears who cannot see it.
struct LineChart {
  std::string id, title, description;
  std::string x_title;
  Scale x_scale = Scale::kLinear;
  Format y_format = Format::kDecimal;
  bool y_from_zero = false;
  std::vector<ChartSeries> series;
};
Html line_chart_svg(const LineChart& chart);

// Horizontal bars from zero, in the given order. Values: >= 0.
struct Bar {
  std::string label, text, hover;
  double value = 0;
};
struct BarChart {
  std::string id, title, description;
  std::vector<Bar> bars;
};
Html bar_chart_svg(const BarChart& chart);

}  // namespace mash
