// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/budget/costs.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/result.hpp"

namespace mash {

// The costs that a model carries in its file, and what follows from them.

// The model with what its features cost. Errors (kInput): it has other families than the costs.
Result<StrongClassifier> with_costs(StrongClassifier model, const FeatureCosts& costs);

// The costs that the model carries; features that it does not need are free. Where it carries none, each
// feature costs 1, and the unit is "features".
FeatureCosts attached_costs(const StrongClassifier& model);

// The price of all that a model may ask for. Errors (kInput): the model has other families than the costs.
Result<double> total_price(const StrongClassifier& model, const FeatureCosts& costs);

}  // namespace mash
