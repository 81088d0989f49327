// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "classifiers/budget/evaluation_order.hpp"
#include "classifiers/budget/paid_prediction.hpp"
#include "classifiers/budget/score_gains.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/result.hpp"

namespace mash {

// The budget of one example, and what happens at a hypothesis that would cost more than what is left.
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

// The hypotheses that a budget pays for, in the order in which they are evaluated. An answer changes no
// price, so these are the same for all examples.
struct BudgetPlan {
  // Hypotheses that are evaluated together: only after the last it is asked whether the class is certain,
  // which takes longer than to evaluate one whose features are known.
  struct Stretch {
    std::size_t begin = 0, end = 0;  // in `hypotheses`
    double spent = 0;                // once it is evaluated
    bool can_decide = false;         // after it the class may be certain for some votes
  };
  std::vector<std::uint32_t> hypotheses;
  std::vector<Stretch> stretches;
  std::vector<double> remaining;  // K x K after each stretch: what the hypotheses to come can change
  bool is_in_model_order = true;
  std::uint16_t prior_class = 0;
};

// Classifies examples one hypothesis after another, until the class is certain or the budget is spent: each
// feature and each family's set-up is paid for at most once for an example, when it is first needed. Whether
// the class is certain is asked before a feature is paid for, and among hypotheses that need no new one after
// every sixteenth.
class EarlyStopping {
 public:
  // costs: outlive it. Errors (kInput): the model has other families than the costs. REQUIRES: at least two
  // classes; an order of the model's hypotheses.
  static Result<EarlyStopping> make(const StrongClassifier& model, EvaluationOrder order,
                                    const FeatureCosts& costs);

  BudgetPlan plan(const BudgetRule& rule) const;

  // The class that all hypotheses of the plan would give: without a budget that of the whole model, to the
  // last bit of its scores. Never spends more than the budget. plan: one of this object's.
  PaidPrediction predict(const CellsOf& cells, const BudgetPlan& plan) const;
  PaidPrediction predict(const CellsOf& cells) const { return predict(cells, whole_model_); }

  // Stops also where half the difference of the two scores has reached the threshold of the class that leads
  // when it is looked at, after each stretch: right or wrong. For experiments in code: no command asks for
  // it. REQUIRES: two classes.
  PaidPrediction predict_curtailed(const CellsOf& cells, const std::array<double, 2>& thresholds) const;

 private:
  EarlyStopping(const StrongClassifier& model, EvaluationOrder order, const FeatureCosts& costs,
                std::vector<Needs> needs);
  // certain(scores, s): the class, where it is decided after stretch s of the plan, if it is.
  template <class Certain>
  PaidPrediction run(const CellsOf& cells, const BudgetPlan& plan, const Certain& certain) const;
  void set_remaining(BudgetPlan& plan) const;
  std::optional<std::size_t> certain_class(std::span<const double> scores, const BudgetPlan& plan,
                                           std::size_t stretch) const;
  std::vector<double> scores_in_model_order(const BudgetPlan& plan,
                                            std::span<const std::uint8_t> cells) const;

  ScoreGains gains_;
  EvaluationOrder order_;
  const FeatureCosts* costs_;
  std::vector<Needs> needs_;
  BudgetPlan whole_model_;
};

}  // namespace mash
