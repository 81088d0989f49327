// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/operations/prediction/budgeted.hpp"
#include "framework/render/table.hpp"

namespace mash {

// The test error within one budget.
struct BudgetPoint {
  double budget = 0;
  double test_error = 0;  // fraction
  Spending spending;
  double microseconds = 0;  // mean per example, one thread, measured
};

// The anytime curve of a model: what it is worth when it may cost so much.
struct BudgetCurve {
  std::string dataset;
  std::vector<BudgetPoint> points;  // of increasing budgets
};

// Classifies the test side within each budget. budgets: empty for the price of the whole model and what
// halving gives, down to its cheapest hypothesis, at most 12. One thread, so that the time is that of an
// example. Errors: those of predict_dataset_within.
Result<BudgetCurve> budget_curve(const ModelSource& source, const DatasetToPredict& dataset,
                                 const std::filesystem::path& costs, std::vector<double> budgets,
                                 const WorkContext& work);

Table table_of(const BudgetCurve& curve);
nlohmann::ordered_json to_json(const BudgetCurve& curve);
// A picture of it: a self-contained SVG file.
std::string budget_curve_svg(const BudgetCurve& curve);

}  // namespace mash
