// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget/claims.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <functional>

#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr double kAtMostFalse = .05;
constexpr std::size_t kNumSmall = 3, kFirstLarge = kNumBudgets / 2;  // among the budgets
constexpr double kOverlap = 1;                                       // points: curves this close are one
constexpr double kFar = 5;                                           // points
constexpr double kTrapped = 2;                                       // what a trapped rule does not spend
constexpr double kRounding = 1e-12;                                  // differences that cancel leave less

using Quantity = std::function<double(const BudgetRepetition&)>;

// The mean error over the budgets [first, last), in per cent.
double mean_error(const BudgetRepetition& repetition, BudgetMethod method, std::size_t first,
                  std::size_t last) {
  double sum = 0;
  for (std::size_t i = first; i < last; ++i) sum += repetition.errors[std::size_t(method)][i];
  return 100 * sum / double(last - first);
}

struct Budgets {
  std::size_t first, last;
  std::string_view name;
};
constexpr Budgets kAll{0, kNumBudgets, "all budgets"}, kSmall{0, kNumSmall, "small budgets"},
    kLarge{kFirstLarge, kNumBudgets, "large budgets"};

// The smallest budget within which the error is at most this; the one after the largest where it never is.
double budget_to(const BudgetRepetition& repetition, BudgetMethod method, double error) {
  const auto& errors = repetition.errors[std::size_t(method)];
  const auto found = std::find_if(errors.begin(), errors.end(), [&](double e) { return e <= error; });
  return budget_at(std::size_t(found - errors.begin()));
}

// Collects the checks of one claim.
class Claim {
 public:
  Claim(std::span<const BudgetResult> results, std::string_view number, std::string_view text)
      : results_(results), claim_{std::string(number), std::string(text), {}, Verdict::kUndecided} {}

  // sets: their names, or a condition for them.
  Claim& check(const std::function<bool(const BudgetSet&)>& is_meant, std::string_view what,
               std::string_view unit, const ClaimedRange& range,
               const std::function<std::vector<double>(const BudgetResult&)>& values) {
    for (const BudgetResult& result : results_) {
      if (!is_meant(*result.set) || result.repetitions.empty()) continue;
      claim_.checks.push_back({std::string(result.set->name),
                               std::string(what),
                               std::string(unit),
                               {},
                               range,
                               Verdict::kUndecided});
      values_.push_back(values(result));
      is_decisive_.push_back(!result.has_fewer_rounds);
    }
    return *this;
  }

  // The mean error of one method less that of another.
  Claim& less(const std::function<bool(const BudgetSet&)>& is_meant, BudgetMethod method, BudgetMethod other,
              const Budgets& budgets, const ClaimedRange& range = {}) {
    return check(is_meant,
                 fmt::format("{} less {}, {}", kBudgetMethodTitles[std::size_t(method)],
                             kBudgetMethodTitles[std::size_t(other)], budgets.name),
                 "points", range, [&](const BudgetResult& result) {
                   std::vector<double> values;
                   for (const BudgetRepetition& repetition : result.repetitions)
                     values.push_back(mean_error(repetition, method, budgets.first, budgets.last) -
                                      mean_error(repetition, other, budgets.first, budgets.last));
                   return values;
                 });
  }

  void add_to(std::vector<BudgetClaim>& claims) {
    std::vector<Verdict> verdicts;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      ClaimCheck& check = claim_.checks[i];
      if (!values_[i].empty()) check.mean = estimate(values_[i]);
      if (std::abs(check.mean.mean) < kRounding) check.mean.mean = 0;
      if (is_decisive_[i]) check.verdict = judge(values_[i], check.range, values_.size());
      verdicts.push_back(check.verdict);
    }
    if (verdicts.empty()) return;
    claim_.verdict = verdict_of_all(verdicts);
    claims.push_back(std::move(claim_));
  }

 private:
  std::span<const BudgetResult> results_;
  BudgetClaim claim_;
  std::vector<bool> is_decisive_;            // of each check
  std::vector<std::vector<double>> values_;  // of each check
};

bool is_one_of(const BudgetSet& set, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), set.name) != names.end();
}

constexpr std::array<std::string_view, 2> kTraps{"sonar", "ionosphere"};
constexpr std::array<std::string_view, 2> kOverFitsEarly{"ecoli", "heart"};
constexpr std::array<std::string_view, 3> kOverFits{"breast-cancer", "ecoli", "heart"};

bool has_random_costs(const BudgetSet& set) { return !has_own_costs(set); }
bool is_trap(const BudgetSet& set) { return is_one_of(set, kTraps); }
bool over_fits_early(const BudgetSet& set) { return is_one_of(set, kOverFitsEarly); }
bool over_fits(const BudgetSet& set) { return is_one_of(set, kOverFits); }
bool is_no_exception(const BudgetSet& set) {
  return has_random_costs(set) && !is_trap(set) && !over_fits_early(set);
}

// For check: one value of each repetition.
std::function<std::vector<double>(const BudgetResult&)> each_repetition(const Quantity& quantity) {
  return [quantity](const BudgetResult& result) {
    std::vector<double> values;
    for (const BudgetRepetition& repetition : result.repetitions) values.push_back(quantity(repetition));
    return values;
  };
}

using Errors = std::function<std::span<const double>(const BudgetRepetition&)>;

// The index with the least mean error among the first num_choices, in the odd or the even repetitions; of
// equals the first.
std::size_t best_choice(std::span<const BudgetRepetition> repetitions, const Errors& errors,
                        std::size_t num_choices, std::size_t parity) {
  std::vector<double> sums(num_choices);
  for (std::size_t i = parity; i < repetitions.size(); i += 2)
    for (std::size_t c = 0; c < num_choices; ++c) sums[c] += errors(repetitions[i])[c];
  return std::size_t(std::min_element(sums.begin(), sums.end()) - sums.begin());
}

// By how much the last error of each repetition is above the one that is the best choice among the first
// num_choices. The other half of the repetitions chooses it, so that its luck is not counted.
std::vector<double> growth_losses(std::span<const BudgetRepetition> repetitions, const Errors& errors,
                                  std::size_t num_choices) {
  std::vector<double> losses;
  if (repetitions.size() < 2) return losses;
  const std::array best{best_choice(repetitions, errors, num_choices, 0),
                        best_choice(repetitions, errors, num_choices, 1)};
  for (std::size_t i = 0; i < repetitions.size(); ++i) {
    const auto of_repetition = errors(repetitions[i]);
    losses.push_back(of_repetition.back() - of_repetition[best[1 - i % 2]]);
  }
  return losses;
}

std::vector<double> in_negative_points(std::vector<double> fractions) {
  for (double& fraction : fractions) fraction *= -100;
  return fractions;
}

}  // namespace

Verdict judge(std::span<const double> values, const ClaimedRange& range, std::size_t num_checks) {
  require(num_checks >= 1, "judge: num_checks >= 1");
  if (values.size() < 2) return Verdict::kUndecided;
  const Statistics statistics = statistics_of(values);
  const boost::math::students_t distribution(double(values.size() - 1));
  const auto half_width = [&](double at_most_false) {
    return boost::math::quantile(distribution, 1 - at_most_false / 2) * statistics.sd /
           std::sqrt(double(values.size()));
  };
  const double own = half_width(kAtMostFalse), wide = half_width(kAtMostFalse / double(num_checks));
  if (statistics.mean - own > range.low && statistics.mean + own < range.high) return Verdict::kHeld;
  if (statistics.mean - wide > range.high || statistics.mean + wide < range.low) return Verdict::kRefuted;
  return Verdict::kUndecided;
}

std::vector<double> tree_growth_losses(std::span<const BudgetRepetition> repetitions) {
  return growth_losses(
      repetitions,
      [](const BudgetRepetition& repetition) { return std::span<const double>(repetition.tree_errors); },
      kNumTreeSizes);
}

std::vector<double> greedy_growth_losses(std::span<const BudgetRepetition> repetitions) {
  return growth_losses(
      repetitions,
      [](const BudgetRepetition& repetition) {
        return std::span<const double>(repetition.errors[std::size_t(BudgetMethod::kGreedy)]);
      },
      kFirstLarge);
}

std::vector<BudgetClaim> budget_claims(std::span<const BudgetResult> results) {
  using enum BudgetMethod;
  std::vector<BudgetClaim> claims;
  Claim(results, "1", "AdaBoostBT is better than AdaBoostRS on all data sets")
      .less(has_random_costs, kBasic, kRandom, kAll)
      .add_to(claims);
  Claim(results, "2",
        "AdaBoostBT_Greedy is better than AdaBoostBT at small budgets, but on the data sets of claim 3")
      .less(is_no_exception, kGreedy, kBasic, kSmall)
      .add_to(claims);
  Claim(results, "3",
        "AdaBoostBT_Greedy stays with a few cheap features: it never spends a budget of 2 on sonar and "
        "ionosphere, and over-fits on ecoli and heart: within 40 it errs more than within its best budget up "
        "to 20")
      .check(is_trap, "what AdaBoostBT_Greedy spends in all its rounds, less 2", "budget", {},
             each_repetition([](const BudgetRepetition& one) { return one.greedy_spent - kTrapped; }))
      .check(over_fits_early, "AdaBoostBT_Greedy at its best budget up to 20 less at 40", "points", {},
             [](const BudgetResult& of) { return in_negative_points(greedy_growth_losses(of.repetitions)); })
      .add_to(claims);
  Claim(results, "4",
        "AdaBoostBT_Smoothed is a little worse than AdaBoostBT_Greedy at small budgets and better at large "
        "ones")
      .less(has_random_costs, kGreedy, kSmoothed, kSmall)
      .less(has_random_costs, kSmoothed, kGreedy, kLarge)
      .add_to(claims);
  Claim(results, "5", "SpeedBoost and AdaBoostBT_Greedy are the same, up to one point")
      .less(has_random_costs, kSpeedBoost, kGreedy, kAll, {-kOverlap, kOverlap})
      .add_to(claims);
  Claim(results, "6",
        "where AdaBoost over-fits, AdaBoostBT_Smoothed comes down to its error (with the paper's number of "
        "rounds, "
        "at any cost) within a smaller budget than AdaBoostBT")
      .check(over_fits, "budget to AdaBoost's error, AdaBoostBT_Smoothed less AdaBoostBT", "budget", {},
             each_repetition([](const BudgetRepetition& repetition) {
               return budget_to(repetition, kSmoothed, repetition.adaboost_error) -
                      budget_to(repetition, kBasic, repetition.adaboost_error);
             }))
      .add_to(claims);
  Claim(results, "7",
        "where the best feature is expensive, as in Webscope's, AdaBoostBT is far worse (5 points) than "
        "AdaBoostBT_Greedy and AdaBoostBT_Smoothed")
      .less(has_own_costs, kGreedy, kBasic, kAll, {.high = -kFar})
      .less(has_own_costs, kSmoothed, kBasic, kAll, {.high = -kFar})
      .add_to(claims);
  Claim(
      results, "8",
      "decision trees over-fit as they grow on all data sets, and AdaBoostBT_Smoothed goes on getting better")
      .check(has_random_costs, "best size of a tree less the whole tree", "points", {},
             [](const BudgetResult& of) { return in_negative_points(tree_growth_losses(of.repetitions)); })
      .check(has_random_costs, "AdaBoostBT_Smoothed at 40 less at 20", "points", {},
             each_repetition([](const BudgetRepetition& repetition) {
               return mean_error(repetition, kSmoothed, kNumBudgets - 1, kNumBudgets) -
                      mean_error(repetition, kSmoothed, kFirstLarge - 1, kFirstLarge);
             }))
      .add_to(claims);
  return claims;
}

}  // namespace mash
