// SPDX-License-Identifier: Apache-2.0
#include "framework/render/chart_sheet.hpp"

#include <algorithm>

namespace mash {
namespace {

constexpr double kPlotWidth = 420, kPlotHeight = 300, kMargin = 60, kLegendWidth = 150, kLegendStep = 20;
constexpr double kColumn = kPlotWidth + 2 * kMargin, kRow = kPlotHeight + 2 * kMargin;

Html chart_svg(const LineChart& chart, double left, double top) {
  Html out =
      markup("<text x=\"{:.0f}\" y=\"{:.0f}\" class=\"heading\">{}</text>\n", left, top - 12, chart.title);
  out += svg::plot(chart, {left, left + kPlotWidth, top, top + kPlotHeight, true});
  return out;
}

Html legend_svg(const ChartSheet& sheet, double left, double top) {
  Html out;
  std::vector<std::string_view> shown;
  for (const LineChart& chart : sheet.charts)
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      const std::string& name = chart.series[i].name;
      if (std::find(shown.begin(), shown.end(), name) != shown.end()) continue;
      out += svg::legend_entry(chart.series[i], i, left, top + kLegendStep * double(shown.size()));
      shown.push_back(name);
    }
  return out;
}

}  // namespace

std::string chart_sheet_svg(const ChartSheet& sheet) {
  const std::size_t num_columns = std::min(sheet.num_columns, sheet.charts.size());
  const std::size_t num_rows = (sheet.charts.size() + num_columns - 1) / num_columns;
  Html out = markup(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "role=\"img\">\n<title>{}</title>\n",
      double(num_columns) * kColumn + kLegendWidth, double(num_rows) * kRow, sheet.title);
  out += Html{
      "<style>\n"
      "svg { background: #fff; font: 13px system-ui, sans-serif; fill: #222; }\n"
      ".grid, .axis { stroke: #8886; } .curve { fill: none; stroke-width: 1.8; }\n"
      ".dot { fill: #fff; stroke-width: 1.8; } .heading { font-weight: 600; }\n"
      "@media (prefers-color-scheme: dark) { svg { background: #16181d; fill: #ddd; } }\n"
      "</style>\n"};
  for (std::size_t i = 0; i < sheet.charts.size(); ++i) {
    const std::size_t row = i / num_columns, column = i % num_columns;
    out += chart_svg(sheet.charts[i], kMargin + double(column) * kColumn, kMargin + double(row) * kRow);
  }
  out += legend_svg(sheet, double(num_columns) * kColumn - kMargin / 2, kMargin);
  return out.markup + "</svg>\n";
}

}  // namespace mash
