// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// The merit of a hypothesis for a booster whose classifier must keep to a budget: the larger, the better.
// edge: gamma, at least 0; from 1 - 1e-12 on it is taken to be that. cost: c(h) > 0. spent: what of the
// budget is gone, B - B_t, times tau. Equations of Huang, Powers & Reyzin, "Training-Time Optimization of a
// Budgeted Booster". None of them knows the budget itself: it is a factor that all hypotheses have in common.

// The edge, at any cost: AdaBoost, which stops when the budget is spent.
double edge_merit(double edge, double cost, double spent);
// -ln(1 - edge^2) / cost: the largest where (1 - edge^2)^(1/cost) is the smallest (eq. 1).
double greedy_merit(double edge, double cost, double spent);
// -ln(1 - edge^2) / (spent + cost) (eq. 2).
double smoothed_merit(double edge, double cost, double spent);
// (1 - sqrt(1 - edge^2)) / cost: the part of the exponential loss that is removed per cost (eq. 4; Grubb &
// Bagnell 2012).
double speedboost_merit(double edge, double cost, double spent);

using Merit = double (*)(double edge, double cost, double spent);

// A row of the table of selection rules: by what merit a round's hypothesis is chosen.
struct SelectionRule {
  std::string_view name;
  std::string_view summary;  // one line, with the citation
  Merit merit;
  // By what merit it is chosen once little that is new is worth its price (kappa below); null: by the same.
  Merit merit_after_switch = nullptr;
};

// In the order of the names.
std::span<const SelectionRule> selection_rules();
// Errors (kInput): no rule has this name; lists those that there are.
Result<const SelectionRule*> find_selection_rule(std::string_view name);

// The cost that the merit of a hypothesis is computed with. What is paid is always the price of what is
// unpaid.
enum class CostMode {
  kOriginal,   // its whole price, also of what has been paid for: using a feature again is no cheaper
  kMarginal,   // its unpaid price and FeatureCosts::evaluation()
  kAmortised,  // the same with only a share of the set-ups: each is expected to serve several features
};
inline constexpr std::array kCostModes{Choice{"original", CostMode::kOriginal},
                                       Choice{"marginal", CostMode::kMarginal},
                                       Choice{"amortised", CostMode::kAmortised}};

struct SelectionSettings {
  const SelectionRule* rule = nullptr;
  CostMode cost_mode = CostMode::kOriginal;
  double tau = 1;                  // what is spent counts this much in eq. 2; below 1 is more greedy
  double kappa = 0.25;             // of the first round's best merit; where `hybrid` switches
  double uses_per_setup = 10;      // A: how many features a set-up is expected to serve, in kAmortised
  double setup_share = 1;          // how much of the budget set-ups may take; the booster's default is 0.6
  bool skip_unaffordable = false;  // choose among what can be afforded, instead of stopping
};

// A feature and the edge of its best stump.
struct FeatureEdge {
  std::uint32_t feature = 0;
  double edge = 0;
};

// One training run's choices under a budget. A round is:
//   1. begin_round with what is on offer;
//   2. merit of each, or `choose`, by any number of threads;
//   3. can_afford of the hypothesis that was chosen: where it cannot be, training ends;
//   4. pay.
class BudgetedSelection {
 public:
  // costs: outlive it. REQUIRES: a rule; tau, kappa >= 0; uses_per_setup > 0; setup_share between 0 and 1;
  // budget >= 0.
  BudgetedSelection(const SelectionSettings& settings, const FeatureCosts& costs, double budget);

  // A rule that switches does so, for good, in the first round in which the best merit of a feature that has
  // not been paid for is below kappa times the best merit of the first round; where all that are offered have
  // been paid for too.
  void begin_round(std::span<const FeatureEdge> offered);

  // The merit of a stump on this feature, or of any hypothesis: -infinity where setup_share forbids a set-up
  // that it needs and, with skip_unaffordable, where it cannot be afforded. REQUIRES: edge >= 0.
  double merit(std::uint32_t feature, double edge) const;
  double merit(const Needs& needs, double edge) const;

  // The index of the best of those offered; merits that differ by rounding are equal, and of equals the
  // cheaper one is taken, then the one with the lower number. Nothing where none can be afforded (by
  // setup_share, or with skip_unaffordable) or none is offered.
  std::optional<std::size_t> choose(std::span<const FeatureEdge> offered) const;

  // Whether the rule passes over a feature for its price: one of those offered has a larger edge than the
  // chosen one, is not paid for and could be.
  bool passes_over(std::span<const FeatureEdge> offered, std::size_t chosen) const;

  bool can_afford(const Needs& needs) const { return can_afford(purchases_.unpaid(needs)); }
  // REQUIRES: can_afford(needs).
  void pay(const Needs& needs);

  // The part of it that the hypotheses that were paid for do not tell, for a training that is taken up again:
  // `restore` after they are paid for again.
  std::vector<double> state() const;
  void restore(std::span<const double> state);

  const Purchases& purchases() const { return purchases_; }
  bool has_switched() const { return has_switched_; }

 private:
  bool can_afford(const Price& unpaid) const { return purchases_.can_afford(unpaid) && may_set_up(unpaid); }
  double cost(const Price& original, const Price& unpaid) const;
  double merit(const Price& original, const Price& unpaid, double edge) const;
  double cost(std::uint32_t feature) const;
  bool may_set_up(const Price& unpaid) const;

  const FeatureCosts& costs_;
  SelectionSettings settings_;
  Purchases purchases_;
  std::optional<double> first_best_;  // the best merit of the first round
  bool has_switched_ = false;
};

}  // namespace mash
