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

constexpr std::size_t kLongestStretch = 16;

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
  Purchases purchases(*costs_, rule.budget);
  for (const std::uint32_t t : order_) {
    if (!purchases.can_afford(purchases.unpaid(needs_[t]))) {
      if (rule.unaffordable == BudgetRule::Unaffordable::kStop) break;
      continue;
    }
    const std::size_t place = plan.hypotheses.size();
    const bool needs_more =
        std::ranges::any_of(needs_[t].features, [&](std::uint32_t f) { return !purchases.has_paid(f); });
    if (place == 0 || needs_more || place - plan.stretches.back().begin == kLongestStretch)
      plan.stretches.push_back({.begin = place});
    purchases.pay(needs_[t]);
    plan.hypotheses.push_back(t);
    plan.stretches.back().end = place + 1;
    plan.stretches.back().spent = purchases.spent();
  }
  plan.is_in_model_order = std::is_sorted(plan.hypotheses.begin(), plan.hypotheses.end());
  set_remaining(plan);
  return plan;
}

void EarlyStopping::set_remaining(BudgetPlan& plan) const {
  const std::size_t K = gains_.num_classes(), num_pairs = K * K;
  std::vector<double> remaining(num_pairs);
  plan.remaining.resize(plan.stretches.size() * num_pairs);
  for (std::size_t s = plan.stretches.size(); s-- > 0;) {
    std::copy(remaining.begin(), remaining.end(), plan.remaining.begin() + std::ptrdiff_t(s * num_pairs));
    for (std::size_t i = plan.stretches[s].end; i-- > plan.stretches[s].begin;)
      for (std::size_t pair = 0; pair < num_pairs; ++pair)
        remaining[pair] += gains_.catch_up(plan.hypotheses[i])[pair];
  }
  double reach = 0;  // of what was evaluated: no lead is larger than twice that
  for (std::size_t s = 0; s < plan.stretches.size(); ++s) {
    BudgetPlan::Stretch& stretch = plan.stretches[s];
    for (std::size_t i = stretch.begin; i < stretch.end; ++i) reach += gains_.reach(plan.hypotheses[i]);
    double least = std::numeric_limits<double>::infinity();  // between two different classes
    for (std::size_t pair = 0; pair < num_pairs; ++pair)
      if (pair % (K + 1) != 0) least = std::min(least, plan.remaining[s * num_pairs + pair]);
    stretch.can_decide = 2 * reach >= least;
  }
}

std::optional<std::size_t> EarlyStopping::certain_class(std::span<const double> scores,
                                                        const BudgetPlan& plan, std::size_t stretch) const {
  const std::size_t num_pairs = gains_.num_classes() * gains_.num_classes();
  return gains_.certain_class(scores, std::span(plan.remaining).subspan(stretch * num_pairs, num_pairs));
}

template <class Certain>
PaidPrediction EarlyStopping::run(const CellsOf& cells_of, const BudgetPlan& plan,
                                  const Certain& certain) const {
  std::vector<std::uint8_t> cells(plan.hypotheses.size());
  std::vector<double> scores(gains_.num_classes());
  std::optional<std::size_t> decided;
  BudgetPlan::Stretch last;
  for (std::size_t s = 0; s < plan.stretches.size() && !decided; ++s) {
    last = plan.stretches[s];
    const auto hypotheses = std::span(plan.hypotheses).subspan(last.begin, last.end - last.begin);
    const auto found = std::span(cells).subspan(last.begin, hypotheses.size());
    cells_of(hypotheses, found);
    gains_.add(hypotheses, found, scores);
    decided = certain(scores, s);
  }
  if (!decided && last.end > 0) {
    // Added up as the model does, so that what is close is decided alike.
    if (!plan.is_in_model_order) scores = scores_in_model_order(plan, cells);
    decided = predicted_class(scores);
  }
  return {std::uint16_t(decided.value_or(plan.prior_class)), last.end, last.spent};
}

std::vector<double> EarlyStopping::scores_in_model_order(const BudgetPlan& plan,
                                                         std::span<const std::uint8_t> cells) const {
  std::vector<std::optional<std::size_t>> of_hypothesis(order_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) of_hypothesis[plan.hypotheses[i]] = cells[i];
  std::vector<double> scores(gains_.num_classes());
  for (std::size_t t = 0; t < of_hypothesis.size(); ++t)
    if (of_hypothesis[t]) gains_.add(t, *of_hypothesis[t], scores);
  return scores;
}

PaidPrediction EarlyStopping::predict(const CellsOf& cells, const BudgetPlan& plan) const {
  return run(cells, plan,
             [&](std::span<const double> scores, std::size_t stretch) -> std::optional<std::size_t> {
               if (!plan.stretches[stretch].can_decide) return std::nullopt;
               return certain_class(scores, plan, stretch);
             });
}

PaidPrediction EarlyStopping::predict_curtailed(const CellsOf& cells,
                                                const std::array<double, 2>& thresholds) const {
  require(gains_.num_classes() == 2, "predict_curtailed: two classes");
  return run(cells, whole_model_,
             [&](std::span<const double> scores, std::size_t stretch) -> std::optional<std::size_t> {
               const std::size_t leader = predicted_class(scores);
               const double lead = (scores[leader] - scores[1 - leader]) / 2;
               if (lead >= thresholds[leader]) return leader;
               return certain_class(scores, whole_model_, stretch);
             });
}

}  // namespace mash
