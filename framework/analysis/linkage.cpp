// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/linkage.hpp"

#include <algorithm>
#include <limits>

namespace mash {

std::vector<Merge> average_linkage(const cv::Mat& distances) {
  const auto num_leaves = std::size_t(distances.rows);
  std::vector<Merge> merges;
  if (num_leaves == 0) return merges;
  // Between clusters by place: the sum of the distances between their members.
  cv::Mat sums = cv::Mat::zeros(int(2 * num_leaves - 1), int(2 * num_leaves - 1), CV_64F);
  distances.copyTo(sums(cv::Rect(0, 0, distances.cols, distances.rows)));
  std::vector<std::size_t> sizes(num_leaves, 1), active;  // active: places, increasing
  for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) active.push_back(leaf);
  while (active.size() > 1) {
    Merge nearest{0, 0, std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < active.size(); ++i)
      for (std::size_t j = i + 1; j < active.size(); ++j) {
        const std::size_t left = active[i], right = active[j];
        const double mean = sums.at<double>(int(left), int(right)) / double(sizes[left] * sizes[right]);
        if (mean < nearest.height) nearest = {left, right, mean};
      }
    // Equal distances, averaged, can come out lower by a rounding.
    if (!merges.empty()) nearest.height = std::max(nearest.height, merges.back().height);
    merges.push_back(nearest);
    std::erase_if(active, [&](std::size_t k) { return k == nearest.left || k == nearest.right; });
    const std::size_t merged = sizes.size();
    for (const std::size_t k : active)
      sums.at<double>(int(k), int(merged)) =
          sums.at<double>(int(std::min(k, nearest.left)), int(std::max(k, nearest.left))) +
          sums.at<double>(int(std::min(k, nearest.right)), int(std::max(k, nearest.right)));
    sizes.push_back(sizes[nearest.left] + sizes[nearest.right]);
    active.push_back(merged);
  }
  return merges;
}

}  // namespace mash
