// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

inline constexpr std::size_t kHistogramBins = 24;

// What one feature has to say.
struct BestFeature {
  std::size_t family_idx = 0;  // in the feature set
  std::uint32_t feature = 0;   // its place in the family
  // The edge and the threshold of its best stump on the training side, where each class and all others
  // together weigh the same; the threshold is -infinity where no cut helps.
  double edge = 0;
  float threshold = 0;
  std::size_t num_cuts = 0;  // in the models
  // Training examples of each class by value: num_classes x kHistogramBins, bins of equal numbers of codes.
  std::vector<std::vector<std::uint32_t>> histograms;
  // height x width floats in [-1, 1]: how the grey value of each pixel goes along with the feature's code
  // (Pearson's correlation over training images, evenly taken, 2 000 at most; 0 where one of them is
  // constant). Empty for a table.
  cv::Mat pixels;
};
// The features of some families with the largest edges, at most max_features, largest first (ties: lowest
// place). models: whose cuts are counted; their families are those of the feature set, in its order. Of a
// lazy family only features that a model cuts take part: their columns were computed in training, a whole
// family's would take too long.
std::vector<BestFeature> best_features(const FeatureSet& features, std::span<const std::size_t> families,
                                       const Dataset& dataset, std::span<const StrongClassifier> models,
                                       std::size_t max_features, const Workers& workers);

// What became of the features of some families in models.
struct FeatureUse {
  std::size_t num_features = 0, num_used = 0;  // used: cut by one of the models
  std::vector<std::uint32_t> cuts;             // of the used features, most first
};
FeatureUse feature_use(const FeatureSet& features, std::span<const std::size_t> families,
                       std::span<const StrongClassifier> models);

}  // namespace mash
