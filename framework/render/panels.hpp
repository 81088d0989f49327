// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/render/chart.hpp"

namespace mash {

struct PanelPoint {
  double x = 0;
  double y = 0;
};

// A line through points, or a bar at each of them.
struct PanelSeries {
  std::string name;
  std::string_view colour;         // "#d55e00"
  std::string_view dash = "none";  // as of stroke-dasharray
  std::vector<PanelPoint> points;
};

// One picture of a sheet. Points that a logarithmic axis cannot show, or that are not finite, are left out.
struct Panel {
  enum class Kind { kLines, kBars };  // bars: series side by side at each x = 1, 2, ..., heights from 0
  std::string title, x_title;
  Scale x_scale = Scale::kLog, y_scale = Scale::kLinear;
  std::vector<PanelSeries> series;
  Kind kind = Kind::kLines;
};

// Pictures in rows of `num_columns`, with one legend of all series: those of the same name look alike.
struct PanelSheet {
  std::string title;
  std::size_t num_columns = 2;
  std::vector<Panel> panels;
};

// A self-contained SVG file.
std::string panel_sheet_svg(const PanelSheet& sheet);

}  // namespace mash
