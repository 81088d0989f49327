// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "framework/render/style.hpp"
#include "framework/render/wording.hpp"
#include "server/http/boards/tables.hpp"

namespace mash::server {
namespace {

bool has_place(const BoardEntry& entry) {
  return entry.is_told() && std::isfinite(entry.microseconds) && entry.microseconds > 0 &&
         std::isfinite(entry.gain);
}

// Whether each entry is on the front.
std::vector<bool> front_of(const std::vector<BoardEntry>& entries) {
  std::vector<std::size_t> by_cost(entries.size());
  std::iota(by_cost.begin(), by_cost.end(), std::size_t(0));
  std::erase_if(by_cost, [&](std::size_t i) { return !has_place(entries[i]); });
  // Entries come by gain: of those that cost the same the best one is the first.
  std::ranges::stable_sort(by_cost, [&](std::size_t a, std::size_t b) {
    return entries[a].microseconds < entries[b].microseconds;
  });
  std::vector<bool> is_on_front(entries.size());
  double best = 0;
  for (const std::size_t i : by_cost) {
    is_on_front[i] = entries[i].gain > best;
    best = std::max(best, entries[i].gain);
  }
  return is_on_front;
}

}  // namespace

Plot gains_plot(const BoardStand& stand, std::span<const std::size_t> rows) {
  ForestPlot plot;
  plot.id = "gain-plot";
  plot.title = "Gain of each heuristic";
  plot.description = "The gain of each heuristic of the table above with its interval, in the same order.";
  plot.x_title = "gain, % of the log-loss";
  for (const std::size_t i : rows) {
    const BoardEntry& entry = stand.entries[i];
    if (entry.is_told()) plot.rows.push_back({entry.heuristic, with_sign(entry.gain, 2), gain_of(entry), {}});
  }
  return plot_of(plot);
}

ScatterChart front_chart(const BoardStand& stand, std::span<const std::size_t> rows) {
  ScatterChart chart;
  chart.id = "front-plot";
  chart.title = "Cost and gain";
  chart.description =
      "Each point is a heuristic: to the left the cheap ones, at the top those that add most. The line joins "
      "those that add more than all that are cheaper.";
  chart.x_title = "cost, µs a picture";
  chart.y_title = "gain, % of the log-loss";
  const std::vector<bool> is_on_front = front_of(stand.entries);
  std::vector<bool> is_drawn = is_on_front;
  for (const std::size_t i : rows) is_drawn[i] = true;
  for (std::size_t i = 0; i < stand.entries.size(); ++i) {
    const BoardEntry& entry = stand.entries[i];
    if (!is_drawn[i] || !has_place(entry)) continue;
    std::string hover = fmt::format("{} {} by {}: gain {}, {} µs a picture", entry.heuristic, entry.version,
                                    entry.contributor, show(gain_cell(entry), Format::kDecimal),
                                    show(entry.microseconds, Format::kDecimal));
    chart.points.push_back(
        {entry.microseconds, entry.gain, entry.heuristic, std::move(hover), false, is_on_front[i]});
  }
  return chart;
}

ScatterChart front_chart(const BoardStand& stand) {
  std::vector<std::size_t> all(stand.entries.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  return front_chart(stand, all);
}

std::string svg_file(const ScatterChart& chart) {
  constexpr std::string_view kBegin = "<svg ", kEnd = "</desc>\n";
  std::string svg = scatter_chart_svg(chart).markup;
  svg.insert(
      svg.find(kEnd) + kEnd.size(),
      fmt::format("<style><![CDATA[{}svg {{ background: var(--ground); padding: 1rem; }}\n]]></style>\n",
                  kStyle));
  svg.insert(kBegin.size(), "xmlns=\"http://www.w3.org/2000/svg\" ");
  return svg;
}

}  // namespace mash::server
