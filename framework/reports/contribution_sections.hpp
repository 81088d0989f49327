// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/statistics.hpp"
#include "framework/render/page.hpp"
#include "framework/render/table.hpp"
#include "framework/reports/cost_point.hpp"

// Sections that the pages of a heuristic and of a whole pool share. id: of the picture within its page. Where
// there is nothing to show, each says so in a sentence.
namespace mash::sections {

// The families joined by average_linkage of 1 - CKA. highlighted: one of them; names.size() for none.
page::Piece family_tree(std::string_view id, std::span<const std::string> names, const cv::Mat& cka,
                        std::size_t highlighted);

// The figure that a cost is set against.
struct UseAxis {
  std::string_view title;  // "share of the margin"
  std::string_view unit;   // "of the margin": behind a value
  Format format = Format::kPercent;
};
// Cost against use.
page::Piece cost_front(std::string_view id, std::span<const CostPoint> points,
                       const UseAxis& use = {"share of the margin", "of the margin"});

}  // namespace mash::sections
