// SPDX-License-Identifier: Apache-2.0
#include "framework/render/bar_chart.hpp"

#include <algorithm>

namespace mash {
namespace {

constexpr double kBarWidth = 900, kBarStep = 26, kBarHeight = 14, kLabelWidth = 220, kTextWidth = 160;

}  // namespace

Html bar_chart_svg(const BarChart& chart) {
  double largest = 0;
  for (const Bar& bar : chart.bars) largest = std::max(largest, bar.value);
  const double room = kBarWidth - kLabelWidth - kTextWidth;
  Html out =
      svg::open(kBarWidth, kBarStep * double(chart.bars.size()), chart.id, chart.title, chart.description);
  double top = 0;
  for (const Bar& bar : chart.bars) {
    const double length = largest > 0 ? bar.value / largest * room : 0;
    const double baseline = top + kBarStep / 2 + 4.5;
    out += markup("<g><title>{}</title>", bar.hover);
    out += markup("<text class=\"strong\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                  kLabelWidth - 10, baseline, svg::shortened(bar.label, kLabelWidth - 10));
    out +=
        markup("<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\"/>",
               kLabelWidth, top + (kBarStep - kBarHeight) / 2, length, kBarHeight);
    out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n", kLabelWidth + length + 8, baseline,
                  bar.text);
    top += kBarStep;
  }
  out += markup("</svg>\n");
  return out;
}

}  // namespace mash
