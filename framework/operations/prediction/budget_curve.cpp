// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/budget_curve.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "classifiers/budget/model_costs.hpp"
#include "framework/operations/prediction/paid_model.hpp"
#include "framework/render/chart_sheet.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

constexpr std::size_t kMostBudgets = 12;

// The price of the whole model, half of it, and so on.
Result<std::vector<double>> halved_budgets(const StrongClassifier& model, const FeatureCosts& costs) {
  MASH_ASSIGN(const std::vector<Needs> needs, costs.needs(model));
  std::optional<double> cheapest;
  for (const Needs& of_hypothesis : needs)
    if (const double price = costs.price(of_hypothesis).total(); price > 0)
      cheapest = std::min(cheapest.value_or(price), price);
  MASH_ASSIGN(const double whole, total_price(model, costs));
  std::vector<double> budgets{whole};
  while (cheapest && budgets.size() < kMostBudgets && budgets.back() / 2 >= *cheapest)
    budgets.push_back(budgets.back() / 2);
  return budgets;
}

std::string unit_of(const BudgetCurve& curve) {
  return curve.points.empty() || curve.points[0].spending.unit.empty() ? "the unit of the costs"
                                                                       : curve.points[0].spending.unit;
}

}  // namespace

Result<BudgetCurve> budget_curve(const ModelSource& source, const DatasetToPredict& wanted,
                                 const std::filesystem::path& costs, std::vector<double> budgets,
                                 const WorkContext& work) {
  MASH_ASSIGN(const auto perturbation, perturbation_of(wanted));
  MASH_ASSIGN(LoadedModel loaded, load_model(source, work));
  MASH_ASSIGN(const PaidPredictor predictor, open_paid_predictor(loaded, costs));
  MASH_ASSIGN(const Dataset dataset, read_dataset_for(loaded.model, wanted, perturbation, work));
  MASH_TRY(check_labels(dataset));
  const StrongClassifier& model = loaded.model.sum();
  if (budgets.empty()) {
    MASH_ASSIGN(budgets, halved_budgets(model, predictor.costs()));
  }
  std::sort(budgets.begin(), budgets.end());
  BudgetCurve curve{dataset.name, dataset.judging_side, {}};
  const Workers one_thread(1);
  for (const double budget : budgets) {
    const Stopwatch watch;
    MASH_ASSIGN(const auto examples,
                predictor.predict(dataset.test, {budget, BudgetRule::Unaffordable::kSkip, 0}, one_thread,
                                  work.progress, work.stop));
    const double seconds = watch.seconds();
    curve.points.push_back({budget,
                            *judged_prediction(loaded.model, dataset, classes_of(examples)).test_error,
                            spending_of(examples, predictor.costs(), model),
                            1e6 * seconds / double(std::max<std::size_t>(1, examples.size()))});
  }
  return curve;
}

Table table_of(const BudgetCurve& curve) {
  Table table{"",
              {{"budget", "budget", Format::kDecimal},
               {"test_error", curve.judging_side + " error", Format::kPercent},
               {"mean_spent", "spent", Format::kDecimal},
               {"largest_spent", "at most", Format::kDecimal},
               {"mean_evaluated", "hypotheses", Format::kDecimal},
               {"microseconds", "us an example", Format::kDecimal}},
              {},
              ""};
  for (const BudgetPoint& point : curve.points)
    table.rows.push_back({point.budget, point.test_error, point.spending.mean, point.spending.largest,
                          point.spending.mean_evaluated, point.microseconds});
  return table;
}

nlohmann::ordered_json to_json(const BudgetCurve& curve) {
  nlohmann::ordered_json json{{"dataset", curve.dataset},
                              {"judged_by", curve.judging_side},
                              {"points", nlohmann::ordered_json::array()}};
  for (const BudgetPoint& point : curve.points)
    json["points"].push_back({{"budget", point.budget},
                              {"test_error", point.test_error},
                              {"mean_spent", point.spending.mean},
                              {"largest_spent", point.spending.largest},
                              {"mean_evaluated", point.spending.mean_evaluated},
                              {"microseconds", point.microseconds}});
  json["unit"] = unit_json(curve.points.empty() ? "" : curve.points[0].spending.unit);
  return json;
}

std::string budget_curve_svg(const BudgetCurve& curve) {
  LineChart chart;
  const std::string error = curve.judging_side + " error";
  chart.title = fmt::format("{} on {}", capitalized(error), curve.dataset);
  chart.x_title = "spent on an example, on average (" + unit_of(curve) + ")";
  chart.x_scale = Scale::kLog;
  chart.y_format = Format::kPercent;
  chart.y_from_zero = true;
  ChartSeries& series = chart.series.emplace_back(ChartSeries{error, {}});
  for (const BudgetPoint& point : curve.points)
    series.points.push_back({point.spending.mean, point.test_error, ""});
  return chart_sheet_svg({capitalized(error) + " within a budget", 1, {chart}});
}

}  // namespace mash
