// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/render/svg.hpp"

namespace mash {

struct ScatterPoint {
  double x = 0, y = 0;
  std::string name, hover;
  bool is_own = false;       // stands out, with its name
  bool is_on_front = false;  // no other has both less x and more y; with its name
};
// Points over a logarithmic x, with a line along their upper left front. Points that have no place (x <= 0,
// not finite) are left out.
struct ScatterChart {
  std::string id, title, description;
  std::string x_title, y_title;
  Format y_format = Format::kDecimal;
  std::vector<ScatterPoint> points;
};
// All points have their names where they are few, else those on the front and the own ones; in little room
// only the own ones.
Html scatter_chart_svg(const ScatterChart& chart, Room room = Room::kWide);
Plot plot_of(const ScatterChart& chart);

}  // namespace mash
