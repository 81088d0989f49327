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

// The anytime curve of a model: its error for each budget.
struct BudgetCurve {
  std::string dataset;
  std::string judging_side = "test";  // Dataset::judging_side
  std::vector<BudgetPoint> points;    // of increasing budgets
};

// Classifies the test side within each budget. budgets: where empty, these are the price of the whole model,
// half of it, and so on down to its cheapest hypothesis, at most 12. It runs on one thread, so that it
// measures the time of a single example. Errors: those of predict_dataset_within.
Result<BudgetCurve> budget_curve(const ModelSource& source, const DatasetToPredict& dataset,
                                 const std::filesystem::path& costs, std::vector<double> budgets,
                                 const WorkContext& work);

Table table_of(const BudgetCurve& curve);
nlohmann::ordered_json to_json(const BudgetCurve& curve);
// A picture of the curve: a self-contained SVG file.
std::string budget_curve_svg(const BudgetCurve& curve);

}  // namespace mash
