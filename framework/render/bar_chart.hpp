// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/render/svg.hpp"

namespace mash {

// Horizontal bars from zero, in the given order. Values: >= 0.
struct Bar {
  std::string label, text, hover;
  double value = 0;
};
// `id` and `description`: as of LineChart.
struct BarChart {
  std::string id, title, description;
  std::vector<Bar> bars;
};
Html bar_chart_svg(const BarChart& chart, Room room = Room::kWide);
Plot plot_of(const BarChart& chart);

}  // namespace mash
