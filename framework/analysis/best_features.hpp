// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

inline constexpr std::size_t kHistogramBins = 24;

// One feature: how well it tells classes apart.
struct BestFeature {
  std::size_t family_idx = 0;  // in the feature set
  std::uint32_t feature = 0;   // its place in the family
  // The edge and the threshold of its best stump on the training side, where each class and all others
  // together weigh the same; the threshold is -infinity where no cut helps.
  double edge = 0;
  float threshold = 0;
  std::size_t num_wins = 0;  // rounds that took it
  // Training examples of each class by value: num_classes x kHistogramBins, bins of equal numbers of codes.
  std::vector<std::vector<std::uint32_t>> histograms;
  // height x width floats in [-1, 1]: how the grey value of each pixel goes along with the feature's code
  // (Pearson's correlation over training images, evenly taken, 2 000 at most; 0 where one of them is
  // constant). Empty for a table.
  cv::Mat pixels;
};
// The features of some families that were taken most often, of equals those with the largest edges (ties:
// lowest place), at most max_features. wins: rounds that took each feature of these families, in their order;
// empty: none took any.
// A lazy family takes part with those features alone that were taken: their columns were computed in
// training, a whole family's would take too long.
std::vector<BestFeature> best_features(const FeatureSet& features, std::span<const std::size_t> families,
                                       const Dataset& dataset, std::span<const std::uint32_t> wins,
                                       std::size_t max_features, const Workers& workers);

}  // namespace mash
