// SPDX-License-Identifier: Apache-2.0
#include "framework/render/bar_chart.hpp"

#include <algorithm>

namespace mash {
namespace {

constexpr double kBarStep = 26, kBarThickness = 14;

struct BarLayout {
  double width, label_width, text_width;
};
constexpr BarLayout kBarWide{900, 220, 160}, kBarNarrow{400, 150, 130};

}  // namespace

Html bar_chart_svg(const BarChart& chart, Room room) {
  const BarLayout& layout = room == Room::kWide ? kBarWide : kBarNarrow;
  double largest = 0;
  for (const Bar& bar : chart.bars) largest = std::max(largest, bar.value);
  const double longest = layout.width - layout.label_width - layout.text_width;
  Html out = svg::open(layout.width, kBarStep * double(chart.bars.size()), svg::id_in(room, chart.id),
                       chart.title, chart.description);
  double top = 0;
  for (const Bar& bar : chart.bars) {
    const double length = largest > 0 ? bar.value / largest * longest : 0;
    const double baseline = top + kBarStep / 2 + 4.5;
    out += markup("<g><title>{}</title>", bar.hover);
    out += markup("<text class=\"strong\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                  layout.label_width - 10, baseline, svg::shortened(bar.label, layout.label_width - 10));
    out +=
        markup("<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\"/>",
               layout.label_width, top + (kBarStep - kBarThickness) / 2, length, kBarThickness);
    out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n", layout.label_width + length + 8,
                  baseline, bar.text);
    top += kBarStep;
  }
  out += markup("</svg>\n");
  return out;
}

Plot plot_of(const BarChart& chart) {
  Table numbers;
  numbers.columns = {{"label", "", Format::kText}, {"value", chart.title, Format::kDecimal}};
  for (const Bar& bar : chart.bars) numbers.rows.push_back({bar.label, bar.value});
  return {chart.id,
          chart.title,
          chart.description,
          bar_chart_svg(chart, Room::kWide),
          bar_chart_svg(chart, Room::kNarrow),
          std::move(numbers)};
}

}  // namespace mash
