// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/parallel.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"

namespace mash {

// In which order to evaluate the hypotheses of a model: each number of a hypothesis once. The sum does not
// depend on it; how early its sign is certain does.
using EvaluationOrder = std::vector<std::uint32_t>;

// The model with its hypotheses in that order. REQUIRES: an order of them.
StrongClassifier in_order(StrongClassifier model, const EvaluationOrder& order);

// By decreasing |alpha| (times the largest |vote|) per cost, set-ups included; equals as in the model. What
// needs nothing comes first. Errors (kInput): the model has other families than the costs. REQUIRES: at least
// two classes.
Result<EvaluationOrder> order_by_worth(const StrongClassifier& model, const FeatureCosts& costs);

// Greedily, in the spirit of Sun & Zhou 2013, "Saving evaluation time for the decision function in boosting":
// the next one is always that with the largest
//
//   (number of examples that it decides + its share of the sum of all |alpha|) / cost
//
// where an example is decided when what remains cannot change its class any more, and the cost is the price
// of what those before it have not paid for, and FeatureCosts::evaluation().
// cells: of each hypothesis for each of the examples, of the training side say. Takes about T^2/2 x examples
// x classes steps for T hypotheses.
// Errors (kInput): the model has other families than the costs; kStopped. REQUIRES: at least two classes;
// cells of all hypotheses, for as many examples each.
Result<EvaluationOrder> order_by_decisions(const StrongClassifier& model, const FeatureCosts& costs,
                                           std::span<const std::vector<std::uint8_t>> cells,
                                           const Workers& workers, Progress& progress = no_progress(),
                                           const StopFlag& stop = {});

}  // namespace mash
