// SPDX-License-Identifier: Apache-2.0
#include "framework/render/histogram_rows.hpp"

#include <algorithm>

namespace mash {
namespace {

constexpr double kWidth = 420, kLeft = 100, kRowHeight = 25, kBarHeight = 20, kBottom = 22;

Html draw_row(const HistogramRow& row, double bottom) {
  Html out = markup("<text class=\"strong\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                    kLeft - 10, bottom - 5, svg::shortened(row.label, kLeft - 10));
  out += svg::line("axis", kLeft, bottom, kWidth, bottom);
  if (row.counts.empty()) return out;
  const double largest = std::max(1.0, double(*std::max_element(row.counts.begin(), row.counts.end())));
  const double width = (kWidth - kLeft) / double(row.counts.size());
  for (std::size_t i = 0; i < row.counts.size(); ++i) {
    const double height = double(row.counts[i]) / largest * kBarHeight;
    if (height > 0)
      out += markup("<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                    kLeft + double(i) * width, bottom - height, width - 1, height);
  }
  return out;
}

}  // namespace

Html histogram_rows_svg(const HistogramRows& histograms) {
  const double height = kRowHeight * double(histograms.rows.size());
  Html out = svg::open(kWidth, height + kBottom, histograms.id, histograms.title, histograms.description);
  for (std::size_t i = 0; i < histograms.rows.size(); ++i)
    out += draw_row(histograms.rows[i], kRowHeight * double(i + 1));
  out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n</svg>\n",
                (kLeft + kWidth) / 2, height + 17, histograms.x_title);
  return out;
}

Plot plot_of(const HistogramRows& histograms) {
  Table numbers;
  numbers.columns = {{"row", histograms.x_title, Format::kText}};
  const std::size_t num_bins = histograms.rows.empty() ? 0 : histograms.rows[0].counts.size();
  for (std::size_t i = 1; i <= num_bins; ++i)
    numbers.columns.push_back({fmt::format("bin_{}", i), std::to_string(i), Format::kCount});
  for (const HistogramRow& row : histograms.rows) {
    auto& cells = numbers.rows.emplace_back();
    cells.emplace_back(row.label);
    for (const std::uint32_t count : row.counts) cells.emplace_back(std::int64_t(count));
  }
  return {histograms.id,     histograms.title, histograms.description, histogram_rows_svg(histograms), {},
          std::move(numbers)};
}

}  // namespace mash
