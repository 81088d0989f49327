// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/render/svg.hpp"
#include "framework/render/table.hpp"

namespace mash {

// A mean with its interval, and the values that it is of.
struct ForestRow {
  std::string label, text;     // left and right of it
  Estimate mean;               // drawn without a line where it has no interval
  std::vector<double> values;  // one dot each; may be empty
  bool is_own = false;         // stands out
  bool is_hollow = false;      // of the second of the plot's kinds
};
// Rows of two kinds, such as two ways to measure: a column of the numbers.
struct ForestKinds {
  std::string title, full, hollow;
};
// Estimates below each other on one axis, which always shows zero.
struct ForestPlot {
  std::string id, title, description;
  std::string x_title;
  Format x_format = Format::kDecimal;
  std::vector<ForestRow> rows;
  std::optional<ForestKinds> kinds = {};  // where rows differ
};
// In little room the labels stand above their lines.
Html forest_plot_svg(const ForestPlot& plot, Room room = Room::kWide);
Plot plot_of(const ForestPlot& plot);

}  // namespace mash
