// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/render/line_chart.hpp"

namespace mash {

// Charts in rows of `num_columns`, with one legend of all series: those of the same name look alike. Every
// series has a colour of its own.
struct ChartSheet {
  std::string title;
  std::size_t num_columns = 2;
  std::vector<LineChart> charts;  // ids and descriptions are not shown
};

// A self-contained SVG file.
std::string chart_sheet_svg(const ChartSheet& sheet);

}  // namespace mash
