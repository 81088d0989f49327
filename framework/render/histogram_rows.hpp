// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/render/svg.hpp"

namespace mash {

struct HistogramRow {
  std::string label;
  std::span<const std::uint32_t> counts;  // as many as the other rows have
};
// Histograms over the same bins below each other, each as high as its own fullest bin.
struct HistogramRows {
  std::string id, title, description;
  std::string x_title;
  std::vector<HistogramRow> rows;
};
Html histogram_rows_svg(const HistogramRows& histograms);
Plot plot_of(const HistogramRows& histograms);

}  // namespace mash
