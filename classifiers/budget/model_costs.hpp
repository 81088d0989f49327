// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "classifiers/budget/costs.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/result.hpp"

namespace mash {

// The costs that a model carries in its file, and what follows from them.

// The model with what its features cost. Errors (kInput): it has other families than the costs.
Result<StrongClassifier> with_costs(StrongClassifier model, const FeatureCosts& costs);

// What the model carries; features that it does not need are free. Where it carries none, each feature costs
// 1, and the unit is "features".
FeatureCosts attached_costs(const StrongClassifier& model);

// The number of hypotheses from the first one on whose features and set-ups cost at most the budget together:
// what a model that is cut short may keep. Errors (kInput): the model has other families than the costs.
Result<std::size_t> num_affordable(const StrongClassifier& model, const FeatureCosts& costs, double budget);

}  // namespace mash
