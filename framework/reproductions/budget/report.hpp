// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "framework/reproductions/budget/claims.hpp"
#include "framework/reproductions/common/report.hpp"

namespace mash {

// The claims, a row for each quantity that a claim says something of on one data set; the remarks have the
// verdict of each claim. The Markdown has the protocol beside the paper's and errors at some budgets, too;
// the picture a panel of test errors against budgets for each data set, with bands of 95 % intervals.
// command: that does the same again.
ReproductionReport budget_report(std::span<const BudgetResult> results, const std::string& command);

// The test error of each method within each budget on each data set.
Table budget_errors(std::span<const BudgetResult> results);

}  // namespace mash
