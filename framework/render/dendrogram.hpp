// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <span>
#include <string>
#include <vector>

#include "framework/render/svg.hpp"

namespace mash {

// Two clusters that become one. Places below the number n of leaves are leaves; n + i is the cluster of merge
// i.
struct Merge {
  std::size_t left = 0, right = 0;  // left < right
  double height = 0;                // the distance between them
};
// The leaves from top to bottom, so that no branches cross.
std::vector<std::size_t> leaf_order(std::span<const Merge> merges, std::size_t num_leaves);

// The tree with its leaves' names at the right, a scale of 1 - CKA below. highlighted: a leaf to stand out; n
// for none.
Html dendrogram_svg(std::string_view id, std::span<const std::string> names, std::span<const Merge> merges,
                    std::size_t highlighted, Room room = Room::kWide);
Plot dendrogram(std::string_view id, std::span<const std::string> names, std::span<const Merge> merges,
                std::size_t highlighted);

}  // namespace mash
