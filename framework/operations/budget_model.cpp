// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/budget_model.hpp"

#include <nlohmann/json.hpp>

#include "classifiers/budget/evaluation_order.hpp"
#include "classifiers/budget/model_costs.hpp"
#include "classifiers/model/model_file.hpp"
#include "framework/operations/paid_model.hpp"

namespace mash {

Result<BudgetModel> budget_model(const BudgetModelSettings& settings) {
  MASH_ASSIGN(const Model read, read_model(settings.model));
  MASH_ASSIGN(const StrongClassifier* given, additive_part(read, settings.model.string()));
  if (given->num_classes() < 2)
    return input_error("{}: found a model of {} class, expected at least two", settings.model.string(),
                       given->num_classes());
  MASH_ASSIGN(const FeatureCosts costs, costs_for(*given, settings.costs));
  MASH_ASSIGN(StrongClassifier model, with_costs(*given, costs));
  if (settings.order == HypothesisOrder::kWorth) {
    MASH_ASSIGN(const EvaluationOrder order, order_by_worth(model, costs));
    model = in_order(std::move(model), order);
  }
  MASH_ASSIGN(const double price, total_price(model, costs));
  return BudgetModel{serialise(model), model.hypotheses.size(), costs.unit(), price};
}

nlohmann::ordered_json to_json(const BudgetModel& model) {
  return {{"hypotheses", model.num_hypotheses}, {"unit", unit_json(model.unit)}, {"price", model.price}};
}

}  // namespace mash
