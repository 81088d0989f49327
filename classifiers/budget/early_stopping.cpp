// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/early_stopping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

bool is_order_of(std::vector<std::uint32_t> order, std::size_t num_hypotheses) {
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != i) return false;
  return order.size() == num_hypotheses;
}

}  // namespace

double curtailment_threshold(double variance, double delta) {
  require(variance >= 0 && delta > 0 && delta < 1,
          "curtailment_threshold: variance >= 0, delta between 0 and 1");
  return std::sqrt(variance * -stable_log(delta) / 2);
}

Result<std::array<double, 2>> curtailment_thresholds(std::span<const double> scores,
                                                     std::span<const std::uint16_t> labels, double delta) {
  require(scores.size() == 2 * labels.size(), "curtailment_thresholds: two scores for each label");
  std::array<std::vector<double>, 2> sums;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (labels[n] >= 2) return input_error("curtailment: found class {}, expected two classes", labels[n]);
    sums[labels[n]].push_back((scores[2 * n] - scores[2 * n + 1]) / 2);
  }
  std::array<double, 2> thresholds{};
  for (std::size_t l = 0; l < 2; ++l) {
    if (sums[l].size() < 2)
      return input_error("curtailment: found {} examples of class {}, expected at least two", sums[l].size(),
                         l);
    const double sd = statistics_of(sums[l]).sd;
    if (sd == 0) return input_error("curtailment: the scores of class {} are all equal", l);
    thresholds[1 - l] = curtailment_threshold(sd * sd, delta);
  }
  return thresholds;
}

EarlyStopping::EarlyStopping(const StrongClassifier& model, EvaluationOrder order, const FeatureCosts& costs,
                             std::vector<Needs> needs)
    : gains_(model), order_(std::move(order)), costs_(&costs), needs_(std::move(needs)) {
  require(is_order_of(order_, gains_.num_hypotheses()), "EarlyStopping: an order of the model's hypotheses");
  whole_model_ = plan({});
}

Result<EarlyStopping> EarlyStopping::make(const StrongClassifier& model, EvaluationOrder order,
                                          const FeatureCosts& costs) {
  MASH_ASSIGN(std::vector<Needs> needs, costs.needs(model));
  return EarlyStopping(model, std::move(order), costs, std::move(needs));
}

BudgetPlan EarlyStopping::plan(const BudgetRule& rule) const {
  BudgetPlan plan;
  plan.prior_class = rule.prior_class;
  plan.spent.push_back(0);
  Purchases purchases(*costs_, rule.budget);
  for (const std::uint32_t t : order_) {
    if (purchases.can_afford(purchases.unpaid(needs_[t]))) {
      purchases.pay(needs_[t]);
      plan.hypotheses.push_back(t);
      plan.spent.push_back(purchases.spent());
    } else if (rule.unaffordable == BudgetRule::Unaffordable::kStop) {
      break;
    }
  }
  plan.is_in_model_order = std::is_sorted(plan.hypotheses.begin(), plan.hypotheses.end());

  const std::size_t K = gains_.num_classes(), num_pairs = K * K, num_places = plan.hypotheses.size();
  plan.remaining.resize((num_places + 1) * num_pairs);
  for (std::size_t i = num_places; i-- > 0;)
    for (std::size_t pair = 0; pair < num_pairs; ++pair)
      plan.remaining[i * num_pairs + pair] =
          plan.remaining[(i + 1) * num_pairs + pair] + gains_.catch_up(plan.hypotheses[i])[pair];
  for (std::size_t i = 0; i <= num_places; ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t pair = 0; pair < num_pairs; ++pair)
      if (pair % (K + 1) != 0) least = std::min(least, plan.remaining[i * num_pairs + pair]);
    plan.least_remaining.push_back(least);
  }
  return plan;
}

std::optional<std::size_t> EarlyStopping::certain_class(std::span<const double> scores,
                                                        const BudgetPlan& plan,
                                                        std::size_t num_evaluated) const {
  const std::size_t num_pairs = gains_.num_classes() * gains_.num_classes();
  return gains_.certain_class(scores,
                              std::span(plan.remaining).subspan(num_evaluated * num_pairs, num_pairs));
}

template <class Certain>
PaidPrediction EarlyStopping::run(const CellOf& cell, const BudgetPlan& plan, const Certain& certain) const {
  std::vector<std::size_t> cells(plan.hypotheses.size());
  std::vector<double> scores(gains_.num_classes());
  std::optional<std::size_t> decided;
  std::size_t num_evaluated = 0;
  while (num_evaluated < plan.hypotheses.size() && !decided) {
    const std::uint32_t t = plan.hypotheses[num_evaluated];
    cells[num_evaluated] = cell(t);
    gains_.add(t, cells[num_evaluated], scores);
    decided = certain(scores, ++num_evaluated);
  }
  if (!decided && num_evaluated > 0) {
    // Added up as the model does, so that what is close is decided alike.
    if (!plan.is_in_model_order) scores = scores_in_model_order(plan, cells);
    decided = predicted_class(scores);
  }
  return {std::uint16_t(decided.value_or(plan.prior_class)), num_evaluated, plan.spent[num_evaluated]};
}

std::vector<double> EarlyStopping::scores_in_model_order(const BudgetPlan& plan,
                                                         std::span<const std::size_t> cells) const {
  std::vector<std::optional<std::size_t>> of_hypothesis(order_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) of_hypothesis[plan.hypotheses[i]] = cells[i];
  std::vector<double> scores(gains_.num_classes());
  for (std::size_t t = 0; t < of_hypothesis.size(); ++t)
    if (of_hypothesis[t]) gains_.add(t, *of_hypothesis[t], scores);
  return scores;
}

PaidPrediction EarlyStopping::predict(const CellOf& cell, const BudgetPlan& plan) const {
  double reach = 0;  // of what was evaluated: no lead is larger than twice that
  return run(cell, plan,
             [&](std::span<const double> scores, std::size_t num_evaluated) -> std::optional<std::size_t> {
               reach += gains_.reach(plan.hypotheses[num_evaluated - 1]);
               if (2 * reach < plan.least_remaining[num_evaluated])
                 return std::nullopt;  // too early to look at the scores
               return certain_class(scores, plan, num_evaluated);
             });
}

PaidPrediction EarlyStopping::predict_curtailed(const CellOf& cell,
                                                const std::array<double, 2>& thresholds) const {
  require(gains_.num_classes() == 2, "predict_curtailed: two classes");
  return run(cell, whole_model_,
             [&](std::span<const double> scores, std::size_t num_evaluated) -> std::optional<std::size_t> {
               const std::size_t leader = predicted_class(scores);
               const double lead = (scores[leader] - scores[1 - leader]) / 2;
               if (lead >= thresholds[leader]) return leader;
               return certain_class(scores, whole_model_, num_evaluated);
             });
}

}  // namespace mash
