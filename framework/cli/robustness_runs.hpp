// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/parallel.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/records/trials.hpp"

namespace mash {

// Pictures that are changed, and two models that are to bear it.
struct RobustnessSession {
  const Dataset& dataset;
  const StrongClassifier& with;
  const StrongClassifier* without;  // null: the constant answer, whose error does not change
  std::uint64_t seed = 1;           // of the changes
  Catalogue& catalogue;
  const Workers& workers;
  Progress& progress;
  const StopFlag& stop;
};

// Every kind of change by three amounts, and none, on the first 1 000 test images. REQUIRES: images.
// Errors: those of extraction; kStopped.
Result<std::vector<RobustnessCurve>> robustness_curves(const RobustnessSession& session);

}  // namespace mash
