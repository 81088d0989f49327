// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/families/extraction.hpp"
#include "framework/families/family.hpp"

namespace mash {

// Times that one thread needs to compute features of a new image one at a time, in microseconds.
struct FeatureTiming {
  std::uint32_t dim = 0;  // how many features the family has; 0 for columns, which are not looked at
  double setup = 0;       // to show the image and to finish with it: shared by its features
  double feature = 0;     // for each feature; the mean of those that were tried
};

// Times the families on the training images for about `seconds` in all. Each image is shown to one family
// after the other, as in prediction, where the processor's cache holds nothing of a family when its turn
// comes. A family that looks back is shown the images before, too. Times are medians over the images. Maps
// that families could share are computed for each family again. Columns cost nothing. Each family gets its
// timing, or the error that it does not open or fails. Errors (kInput): no training image; kStopped.
Result<std::vector<Result<FeatureTiming>>> time_features(std::span<const FamilySpec> specs,
                                                         const ExtractionContext& context, double seconds);

}  // namespace mash
