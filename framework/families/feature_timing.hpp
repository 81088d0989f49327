// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/families/extraction.hpp"
#include "framework/families/family.hpp"

namespace mash {

// Times of one thread to compute features of a new image one at a time, in microseconds.
struct FeatureTiming {
  std::uint32_t dim = 0;  // how many features the family has; 0 for columns, which are not looked at
  double setup = 0;       // to be shown the image and to be done with it: what its features share
  double feature = 0;     // for each feature, the mean of those that were tried
};

// Times the families over the training images for about `seconds` in all: each image is shown to one family
// after the other, as in prediction, where nothing of a family is in the processor's cache when its turn
// comes; one that looks back is shown the images before, too. Medians over the images; what families could
// share of an image is computed for each of them. Columns cost nothing. Each family has its timing, or its
// error: it does not open or fails. Errors (kInput): no training image; kStopped.
Result<std::vector<Result<FeatureTiming>>> time_features(std::span<const FamilySpec> specs,
                                                         const ExtractionContext& context, double seconds);

}  // namespace mash
