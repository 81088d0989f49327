// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/statistics.hpp"
#include "framework/reproductions/budget/repetition.hpp"
#include "framework/reproductions/common/verdict.hpp"

namespace mash {

// The repetitions of one data set.
struct BudgetResult {
  const BudgetSet* set = nullptr;
  std::size_t num_features = 0;
  std::vector<BudgetRepetition> repetitions;
  bool has_fewer_rounds = false;  // than the paper's: its claims stay undecided
};

// A claim on a mean: it lies between these, which are not meant.
struct ClaimedRange {
  double low = -std::numeric_limits<double>::infinity(), high = 0;
};

// The verdict of repetitions on a claim about their mean. Held: its 95 % confidence interval lies within the
// range. Refuted: the interval lies outside, one that is wider where there are several checks: with each at
// 1 - 5 % / num_checks, one of num_checks true claims is refuted in one case of twenty at most. Undecided
// otherwise, and with fewer than two repetitions. REQUIRES: num_checks >= 1.
Verdict judge(std::span<const double> values, const ClaimedRange& range, std::size_t num_checks);

// A claim on one data set.
struct ClaimCheck {
  std::string set;   // its name
  std::string what;  // the quantity, in words
  std::string unit;  // "points" of test error, or "budget"
  Estimate mean;     // over the repetitions
  ClaimedRange range;
  Verdict verdict = Verdict::kUndecided;
};

// A claim of section 6 or 7 of the paper.
struct BudgetClaim {
  std::string number;  // "1" ... "8"
  std::string text;
  std::vector<ClaimCheck> checks;  // at least one
  Verdict verdict = Verdict::kUndecided;
};

// The claims of which there are data sets with repetitions. Differences are of two methods in the same
// repetition. "Small budgets" are 2, 4 and 6, "large" ones those above half of the largest.
std::vector<BudgetClaim> budget_claims(std::span<const BudgetResult> results);

// By how much the whole tree's error is above that of the size that is the best one: per repetition, in
// fractions. The best size is that of the least mean error among the other half of the repetitions, odd or
// even ones, so that its luck is not counted. Nothing of fewer than two repetitions.
std::vector<double> tree_growth_losses(std::span<const BudgetRepetition> repetitions);
// The same of AdaBoostBT_Greedy within the largest budget, beside the best one up to half of that.
std::vector<double> greedy_growth_losses(std::span<const BudgetRepetition> repetitions);

}  // namespace mash
