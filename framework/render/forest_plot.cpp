// SPDX-License-Identifier: Apache-2.0
#include "framework/render/forest_plot.hpp"

#include <algorithm>
#include <cmath>

namespace mash {
namespace {

constexpr double kForestTop = 10, kForestBottom = 52;
constexpr double kSquare = 4.5, kCap = 5, kDotsBelow = 11;

struct ForestLayout {
  double width, left, right;  // of the picture; where the axis begins and ends
  double row_height, line;    // line: of the interval, below the top of its row
  double label, text;         // where they end and begin
  double label_width;
  double words;  // their baseline, below the top of the row
};
constexpr ForestLayout kForestWide{900, 270, 730, 42, 16.8, 256, 744, 256, 21.3};
constexpr ForestLayout kForestNarrow{400, 20, 380, 54, 30, 0, 400, 270, 14};
constexpr double kRoomOfDots = 12;  // that a row without dots does not take

ForestLayout layout_of(const ForestPlot& plot, Room room) {
  ForestLayout layout = room == Room::kWide ? kForestWide : kForestNarrow;
  if (std::all_of(plot.rows.begin(), plot.rows.end(),
                  [](const ForestRow& row) { return row.values.empty(); }))
    layout.row_height -= kRoomOfDots;
  return layout;
}

void widen(svg::Axis& axis, double value) {
  if (!std::isfinite(value)) return;
  axis.low = std::min(axis.low, value);
  axis.high = std::max(axis.high, value);
}

svg::Axis fit_axis(const ForestPlot& plot, const ForestLayout& layout) {
  svg::Axis axis{Scale::kLinear, 0, 0, layout.left, layout.right};
  for (const ForestRow& row : plot.rows) {
    const double half_width = row.mean.half_width.value_or(0);
    widen(axis, row.mean.mean - half_width);
    widen(axis, row.mean.mean + half_width);
    for (const double value : row.values) widen(axis, value);
  }
  axis.widen_to_steps(6);
  return axis;
}

Html interval(const ForestRow& row, const svg::Axis& axis, double y) {
  const char* css_class = row.is_own ? "interval own" : "interval";
  const double low = axis.place(row.mean.mean - *row.mean.half_width);
  const double high = axis.place(row.mean.mean + *row.mean.half_width);
  Html out = svg::line(css_class, low, y, high, y);
  for (const double end : {low, high}) out += svg::line(css_class, end, y - kCap, end, y + kCap);
  return out;
}

// "mean own hollow".
std::string class_of_mean(const ForestRow& row) {
  return std::string("mean") + (row.is_own ? " own" : "") + (row.is_hollow ? " hollow" : "");
}

// top: of the row.
Html draw_forest_row(const ForestRow& row, const svg::Axis& axis, Room room, const ForestLayout& layout,
                     double top) {
  const double y = top + layout.line;
  const auto words = [&](const std::string& text, double x, bool ends_there) {
    return markup("<text class=\"strong\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x,
                  top + layout.words, ends_there ? "end" : "start", text);
  };
  Html out = markup("<g><title>{}: {}</title>", row.label, row.text);
  out += words(svg::shortened(row.label, layout.label_width), layout.label, room == Room::kWide);
  if (std::isfinite(row.mean.mean)) {
    if (row.mean.half_width && std::isfinite(*row.mean.half_width)) out += interval(row, axis, y);
    out += markup("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                  class_of_mean(row), axis.place(row.mean.mean) - kSquare, y - kSquare, 2 * kSquare,
                  2 * kSquare);
  }
  for (const double value : row.values) {
    if (std::isfinite(value))
      out += markup("<circle class=\"seed\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", axis.place(value),
                    y + kDotsBelow);
  }
  out += words(row.text, layout.text, room == Room::kNarrow);
  out += markup("</g>\n");
  return out;
}

}  // namespace

Html forest_plot_svg(const ForestPlot& plot, Room room) {
  const ForestLayout layout = layout_of(plot, room);
  const svg::Axis axis = fit_axis(plot, layout);
  const double bottom = kForestTop + layout.row_height * double(plot.rows.size());
  Html out = svg::open(layout.width, bottom + kForestBottom, svg::id_in(room, plot.id), plot.title,
                       plot.description);
  out += svg::horizontal_axis(axis, bottom, plot.x_title, plot.x_format);
  out += svg::line("zero", axis.place(0), kForestTop, axis.place(0), bottom);
  for (std::size_t i = 0; i < plot.rows.size(); ++i)
    out += draw_forest_row(plot.rows[i], axis, room, layout, kForestTop + layout.row_height * double(i));
  out += markup("</svg>\n");
  return out;
}

Plot plot_of(const ForestPlot& plot) {
  Table numbers;
  numbers.columns = {{"label", "", Format::kText}, {"mean", plot.x_title, plot.x_format, true}};
  if (plot.kinds)
    numbers.columns.push_back({svg::key_of(plot.kinds->title), plot.kinds->title, Format::kText});
  std::size_t num_values = 0;
  for (const ForestRow& row : plot.rows) num_values = std::max(num_values, row.values.size());
  for (std::size_t i = 1; i <= num_values; ++i)
    numbers.columns.push_back({fmt::format("value_{}", i), std::to_string(i), plot.x_format});
  for (const ForestRow& row : plot.rows) {
    auto& cells = numbers.rows.emplace_back();
    cells = {row.label, row.mean};
    if (plot.kinds) cells.emplace_back(row.is_hollow ? plot.kinds->hollow : plot.kinds->full);
    for (const double value : row.values) cells.emplace_back(value);
    cells.resize(numbers.columns.size());
  }
  return {plot.id,
          plot.title,
          plot.description,
          forest_plot_svg(plot, Room::kWide),
          forest_plot_svg(plot, Room::kNarrow),
          std::move(numbers)};
}

}  // namespace mash
