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
  const std::size_t size = gains_.num_classes() * gains_.num_classes();
  remaining_.resize((order_.size() + 1) * size);
  for (std::size_t i = order_.size(); i-- > 0;)
    for (std::size_t pair = 0; pair < size; ++pair)
      // One that can only favour the other class may turn out to cost too much, and then favours nobody.
      remaining_[i * size + pair] =
          remaining_[(i + 1) * size + pair] + std::max(0.0, gains_.catch_up(order_[i])[pair]);
  for (std::size_t i = 0; i <= order_.size(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t pair = 0; pair < size; ++pair)
      if (pair % (gains_.num_classes() + 1) != 0) least = std::min(least, remaining_after(i)[pair]);
    least_remaining_.push_back(least);
  }
}

Result<EarlyStopping> EarlyStopping::make(const StrongClassifier& model, EvaluationOrder order,
                                          const FeatureCosts& costs) {
  MASH_ASSIGN(std::vector<Needs> needs, costs.needs(model));
  return EarlyStopping(model, std::move(order), costs, std::move(needs));
}

std::span<const double> EarlyStopping::remaining_after(std::size_t num_places) const {
  const std::size_t size = gains_.num_classes() * gains_.num_classes();
  return std::span(remaining_).subspan(num_places * size, size);
}

template <class Certain>
PaidPrediction EarlyStopping::run(const CellOf& cell, const BudgetRule& rule, const Certain& certain) const {
  PaidPrediction prediction{rule.prior_class, 0, 0};
  Purchases purchases(*costs_, rule.budget);
  std::vector<std::optional<std::size_t>> cells(order_.size());  // of those that were evaluated
  std::vector<double> scores(gains_.num_classes());
  std::optional<std::size_t> decided;
  for (std::size_t i = 0; i < order_.size() && !decided; ++i) {
    const std::uint32_t t = order_[i];
    if (!purchases.can_afford(purchases.unpaid(needs_[t]))) {
      if (rule.unaffordable == BudgetRule::Unaffordable::kStop) break;
      continue;
    }
    purchases.pay(needs_[t]);
    cells[t] = cell(t);
    gains_.add(t, *cells[t], scores);
    ++prediction.num_evaluated;
    decided = certain(scores, i + 1);
  }
  if (!decided && prediction.num_evaluated > 0) {
    // Added up as the model does, so that what is close is decided alike.
    std::fill(scores.begin(), scores.end(), 0.0);
    for (std::size_t t = 0; t < cells.size(); ++t)
      if (cells[t]) gains_.add(t, *cells[t], scores);
    decided = predicted_class(scores);
  }
  if (decided) prediction.predicted_class = std::uint16_t(*decided);
  prediction.spent = purchases.spent();
  return prediction;
}

PaidPrediction EarlyStopping::predict(const CellOf& cell, const BudgetRule& rule) const {
  double reach = 0;  // of what was evaluated: no lead is larger than twice that
  return run(cell, rule,
             [&](std::span<const double> scores, std::size_t num_places) -> std::optional<std::size_t> {
               reach += gains_.reach(order_[num_places - 1]);
               if (2 * reach < least_remaining_[num_places])
                 return std::nullopt;  // too early to look at the scores
               return gains_.certain_class(scores, remaining_after(num_places));
             });
}

PaidPrediction EarlyStopping::predict_curtailed(const CellOf& cell,
                                                const std::array<double, 2>& thresholds) const {
  require(gains_.num_classes() == 2, "predict_curtailed: two classes");
  return run(cell, {},
             [&](std::span<const double> scores, std::size_t num_places) -> std::optional<std::size_t> {
               const std::size_t leader = predicted_class(scores);
               const double lead = (scores[leader] - scores[1 - leader]) / 2;
               if (lead >= thresholds[leader]) return leader;
               return gains_.certain_class(scores, remaining_after(num_places));
             });
}

}  // namespace mash
