// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/contribution_sections.hpp"

#include <algorithm>
#include <cmath>

#include "framework/analysis/linkage.hpp"
#include "framework/render/dendrogram.hpp"
#include "framework/render/forest_plot.hpp"
#include "framework/render/scatter_chart.hpp"
#include "framework/render/wording.hpp"

namespace mash::sections {

page::Piece family_tree(std::string_view id, std::span<const std::string> names, const cv::Mat& cka,
                        std::size_t highlighted) {
  if (names.size() < 2 || cka.empty()) return page::note("There are not two families to compare.");
  return page::plot(dendrogram(id, names, average_linkage(1 - cka), highlighted));
}

page::Piece cost_front(std::string_view id, std::span<const CostPoint> points, const UseAxis& use) {
  if (points.empty()) return page::note("No cost was measured.");
  ScatterChart chart;
  chart.id = id;
  chart.title = "Cost and use of the families";
  chart.x_title = "µs per image";
  chart.y_title = std::string(use.title);
  chart.y_format = use.format;
  std::size_t num_front = 0, num_free = 0;
  for (const CostPoint& point : points) {
    const std::string text =
        fmt::format("{}: {}, {} {}", point.name, cost_in_words(point.microseconds_per_image),
                    show(point.use, use.format), use.unit);
    chart.points.push_back(
        {point.microseconds_per_image, point.use, point.name, text, point.is_own, point.is_on_front});
    num_front += point.is_on_front;
    num_free += !(point.microseconds_per_image > 0);
    if (point.is_own || point.is_on_front) chart.description += fmt::format(" {}.", text);
  }
  chart.description = fmt::format("{}, {} of them on the front.{}", counted(points.size(), "point"),
                                  num_front, chart.description);
  page::Piece out = page::plot(plot_of(chart));
  if (num_free > 0)
    out += page::note(fmt::format("{} without a measured cost cannot be drawn on a logarithmic axis.",
                                  counted(num_free, "point")));
  return out;
}

}  // namespace mash::sections
