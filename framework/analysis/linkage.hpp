// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "framework/render/dendrogram.hpp"

namespace mash {

// Agglomerative clustering by mean distances between members (UPGMA, Sokal & Michener 1958): n - 1 merges,
// heights never fall; of equal distances the pair of the lowest places first. distances: n x n doubles,
// symmetric.
std::vector<Merge> average_linkage(const cv::Mat& distances);

}  // namespace mash
