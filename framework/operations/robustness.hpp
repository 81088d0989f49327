// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/records/trials.hpp"

namespace mash {

// Pictures that are changed, and two models that classify them.
struct RobustnessSettings {
  const Dataset& dataset;
  const StrongClassifier& with;
  const StrongClassifier* without = nullptr;  // null: always the most frequent class; its error stays
  std::uint64_t seed = 1;                     // of the changes
};

// Every kind of change by three amounts, and none, on the first 1 000 test images. REQUIRES: images.
// Errors: those of extraction; kStopped.
Result<std::vector<RobustnessCurve>> robustness_curves(const RobustnessSettings& settings,
                                                       Catalogue& catalogue, const WorkContext& work);

}  // namespace mash
