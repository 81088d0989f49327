// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "classifiers/budget/evaluation_order.hpp"
#include "classifiers/budget/paid_prediction.hpp"
#include "classifiers/budget/score_gains.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/result.hpp"

namespace mash {

// What one example may cost, and what happens at a hypothesis that would cost more than what is left.
struct BudgetRule {
  enum class Unaffordable {
    kStop,  // the class is that of the sum so far
    kSkip,  // those after it are evaluated if they can be afforded
  };
  double budget = Purchases::kUnlimited;
  Unaffordable unaffordable = Unaffordable::kStop;
  std::uint16_t prior_class = 0;  // the answer where nothing was evaluated
};

// tau = sqrt(variance * ln(1 / delta) / 2): a sum that has reached tau ends below 0 with a probability of
// about delta at most (Pelossof, Jones & Ying 2010, "Speeding-up margin based learning via stochastic
// curtailment"). variance: of the whole sum. REQUIRES: variance >= 0, 0 < delta < 1.
double curtailment_threshold(double variance, double delta);

// For each of two classes the threshold from which an example is given that class. It is computed with the
// variance of the sum among the examples of the other class, who would be given it wrongly.
// scores: of training examples, two each; the sum is half their difference. Errors (kInput): not two classes;
// fewer than two examples of a class; the scores of a class do not vary. REQUIRES: two scores for each label.
Result<std::array<double, 2>> curtailment_thresholds(std::span<const double> scores,
                                                     std::span<const std::uint16_t> labels, double delta);

// Classifies examples one hypothesis after another, until the class is certain or the budget is spent: each
// feature and each family's set-up is paid for at most once for an example, when it is first needed.
class EarlyStopping {
 public:
  // costs: outlive it. Errors (kInput): the model has other families than the costs. REQUIRES: at least two
  // classes; an order of the model's hypotheses.
  static Result<EarlyStopping> make(const StrongClassifier& model, EvaluationOrder order,
                                    const FeatureCosts& costs);

  // The class that all hypotheses would give that the budget admits: within an unlimited one, that of the
  // whole model to the last bit of its scores. Never spends more than the budget.
  PaidPrediction predict(const CellOf& cell, const BudgetRule& rule = {}) const;

  // Stops also where half the difference of the two scores has reached the threshold of the class that leads,
  // right or wrong. REQUIRES: two classes.
  PaidPrediction predict_curtailed(const CellOf& cell, const std::array<double, 2>& thresholds) const;

 private:
  EarlyStopping(const StrongClassifier& model, EvaluationOrder order, const FeatureCosts& costs,
                std::vector<Needs> needs);
  // certain(scores, i): the class, where it is decided after i places of the order, if it is.
  template <class Certain>
  PaidPrediction run(const CellOf& cell, const BudgetRule& rule, const Certain& certain) const;
  std::span<const double> remaining_after(std::size_t num_places) const;

  ScoreGains gains_;
  EvaluationOrder order_;
  const FeatureCosts* costs_;
  std::vector<Needs> needs_;
  std::vector<double> remaining_;        // K x K after each number of places of the order, from 0
  std::vector<double> least_remaining_;  // after each number of places the smallest of two different classes
};

}  // namespace mash
