// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "classifiers/budget/paid_prediction.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/result.hpp"

namespace mash {

struct RandomSpendingSettings {
  double budget = 0;
  // Draw cheap hypotheses more often, with probability alpha / cost, and let votes count as much as their
  // cost. A hypothesis that needs nothing is drawn almost always then: it counts as FeatureCosts::smallest().
  // For experiments in code: no command sets it.
  bool cost_aware = false;
  std::uint64_t seed = 1;
  std::uint16_t prior_class = 0;  // the answer where nothing can be paid for, and where votes are equal
};

// AdaBoostRS (Reyzin 2011, "Boosting on a budget: sampling for feature-efficient prediction"): classifies an
// example with a trained model of two classes within any budget. Hypotheses are drawn with replacement, t
// with probability |alpha_t| / sum |alpha|, and each drawn one has an equal vote; where the next one costs
// more than what is left, the votes are counted. A hypothesis with a negative coefficient votes the other way
// round. At most 100 draws for each hypothesis of the model.
class RandomSpending {
 public:
  // costs: outlive it. Errors (kInput): the model has not two classes; it has other families than the costs.
  // REQUIRES: budget >= 0, prior_class of the model.
  static Result<RandomSpending> make(const StrongClassifier& model, const FeatureCosts& costs,
                                     const RandomSpendingSettings& settings);

  // example: its number, which decides what is drawn for it, together with the seed.
  PaidPrediction predict(std::uint64_t example, const CellOf& cell) const;

 private:
  struct Drawable {
    std::size_t hypothesis = 0;
    double cumulative = 0;  // of the probabilities up to this one, not divided by their sum
    Needs needs;
    std::vector<double> votes;  // of each cell: > 0 for class 0
  };

  RandomSpending(const FeatureCosts& costs, const RandomSpendingSettings& settings)
      : costs_(&costs), settings_(settings) {}
  std::size_t draw(double uniform) const;

  const FeatureCosts* costs_;
  RandomSpendingSettings settings_;
  std::vector<Drawable> drawables_;  // the hypotheses with a coefficient other than 0
  std::size_t num_draws_ = 0;
};

}  // namespace mash
