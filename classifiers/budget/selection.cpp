// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/selection.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr double kLargestEdge = 1 - 1e-12;
constexpr double kNoMerit = -std::numeric_limits<double>::infinity();

double square_of(double edge) {
  require(edge >= 0, "the merit of a hypothesis: edge >= 0");
  edge = std::min(edge, kLargestEdge);
  return edge * edge;
}

// -ln(1 - edge^2), also where the square is lost beside 1: what rounding took from the difference is given
// back.
double log_gain(double edge) {
  const double square = square_of(edge), rest = 1 - square;
  return (square - (1 - rest)) / rest - stable_log(rest);
}

constexpr std::array kRules{
    SelectionRule{"adaboost-bt",
                  "the largest edge, until the budget is spent (Huang, Powers & Reyzin, Alg. 1)", edge_merit},
    SelectionRule{"greedy",
                  "the loss bound if all rounds to come cost as much (Huang, Powers & Reyzin, eq. 1)",
                  greedy_merit},
    SelectionRule{"hybrid",
                  "greedy, then smoothed once what is unused is poor (Huang, Powers & Reyzin, section 4)",
                  greedy_merit, smoothed_merit},
    SelectionRule{"smoothed",
                  "the loss bound if rounds to come cost the mean so far (Huang, Powers & Reyzin, eq. 2)",
                  smoothed_merit},
    SelectionRule{"speedboost", "the largest fall of the loss per cost (Grubb & Bagnell 2012)",
                  speedboost_merit},
};

}  // namespace

double edge_merit(double edge, double, double) {
  require(edge >= 0, "the merit of a hypothesis: edge >= 0");
  return std::min(edge, kLargestEdge);
}

double greedy_merit(double edge, double cost, double) { return log_gain(edge) / cost; }

double smoothed_merit(double edge, double cost, double spent) { return log_gain(edge) / (spent + cost); }

double speedboost_merit(double edge, double cost, double) {
  const double square = square_of(edge);
  return square / (1 + std::sqrt(1 - square)) / cost;
}

std::span<const SelectionRule> selection_rules() { return kRules; }

Result<const SelectionRule*> find_selection_rule(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SelectionRule& rule : kRules) {
    if (rule.name == name) return &rule;
    names.push_back(rule.name);
  }
  return unknown_name("selection rule", name, names);
}

BudgetedSelection::BudgetedSelection(const SelectionSettings& settings, const FeatureCosts& costs,
                                     double budget)
    : costs_(costs), settings_(settings), purchases_(costs, budget) {
  require(settings.rule != nullptr, "BudgetedSelection: a rule");
  require(settings.tau >= 0 && settings.kappa >= 0 && settings.uses_per_setup > 0,
          "BudgetedSelection: tau >= 0, kappa >= 0, uses_per_setup > 0");
  require(settings.setup_share >= 0 && settings.setup_share <= 1,
          "BudgetedSelection: setup_share between 0 and 1");
}

void BudgetedSelection::begin_round(std::span<const FeatureEdge> offered) {
  if (settings_.rule->merit_after_switch == nullptr || has_switched_) return;
  double best_unused = 0;
  for (const FeatureEdge& candidate : offered) {
    if (purchases_.has_paid(candidate.feature) || !may_set_up(purchases_.unpaid(candidate.feature))) continue;
    best_unused = std::max(best_unused, settings_.rule->merit(candidate.edge, cost(candidate.feature),
                                                              settings_.tau * purchases_.spent()));
  }
  if (!first_best_ && best_unused == 0) return;  // nothing that could be bought
  if (!first_best_) first_best_ = best_unused;
  has_switched_ = best_unused < settings_.kappa * *first_best_;
}

double BudgetedSelection::cost(const Price& original, const Price& unpaid) const {
  switch (settings_.cost_mode) {
    case CostMode::kOriginal: return std::max(original.total(), costs_.smallest());
    case CostMode::kMarginal: return unpaid.total() + costs_.evaluation();
    case CostMode::kAmortised:
      return unpaid.features + unpaid.setups / settings_.uses_per_setup + costs_.evaluation();
  }
  return 0;
}

double BudgetedSelection::cost(std::uint32_t feature) const {
  return cost(costs_.price(feature), purchases_.unpaid(feature));
}

bool BudgetedSelection::may_set_up(const Price& unpaid) const {
  return unpaid.setups == 0 ||
         is_within(purchases_.spent_on_setups() + unpaid.setups, settings_.setup_share * purchases_.budget());
}

double BudgetedSelection::merit(const Price& original, const Price& unpaid, double edge) const {
  if (settings_.skip_unaffordable && !purchases_.can_afford(unpaid)) return kNoMerit;
  if (!may_set_up(unpaid)) return kNoMerit;
  const SelectionRule& rule = *settings_.rule;
  const Merit merit = has_switched_ ? rule.merit_after_switch : rule.merit;
  return merit(edge, cost(original, unpaid), settings_.tau * purchases_.spent());
}

double BudgetedSelection::merit(std::uint32_t feature, double edge) const {
  return merit(costs_.price(feature), purchases_.unpaid(feature), edge);
}

double BudgetedSelection::merit(const Needs& needs, double edge) const {
  return merit(costs_.price(needs), purchases_.unpaid(needs), edge);
}

std::optional<std::size_t> BudgetedSelection::choose(std::span<const FeatureEdge> offered) const {
  // Sums in another order differ in their last bits; what differs by less than this is a tie.
  constexpr double kRounding = 1e-9;
  std::vector<double> merits;
  for (const FeatureEdge& candidate : offered) merits.push_back(merit(candidate.feature, candidate.edge));
  const auto largest = std::max_element(merits.begin(), merits.end());
  if (largest == merits.end() || *largest == kNoMerit) return std::nullopt;
  const double least = *largest - kRounding * *largest;
  const auto rank = [&](std::size_t i) { return std::tuple(cost(offered[i].feature), offered[i].feature); };
  auto best = std::size_t(largest - merits.begin());
  for (std::size_t i = 0; i < offered.size(); ++i)
    if (merits[i] >= least && rank(i) < rank(best)) best = i;
  return best;
}

bool BudgetedSelection::passes_over(std::span<const FeatureEdge> offered, std::size_t chosen) const {
  constexpr double kRounding = 1e-6;  // edges that differ by less are equal
  return std::any_of(offered.begin(), offered.end(), [&](const FeatureEdge& other) {
    const Price unpaid = purchases_.unpaid(other.feature);
    return other.edge > (1 + kRounding) * offered[chosen].edge && unpaid.total() > 0 && can_afford(unpaid);
  });
}

std::vector<double> BudgetedSelection::state() const {
  return {first_best_.value_or(-1), double(has_switched_)};
}

void BudgetedSelection::restore(std::span<const double> state) {
  require(state.size() == 2, "BudgetedSelection::restore: the numbers of a state");
  first_best_ = state[0] < 0 ? std::nullopt : std::optional(state[0]);
  has_switched_ = state[1] != 0;
}

void BudgetedSelection::pay(const Needs& needs) { purchases_.pay(needs); }

}  // namespace mash
