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
  MASH_ASSIGN(const FeatureCosts costs, costs_for(*given, settings.costs));
  MASH_ASSIGN(StrongClassifier model, with_costs(*given, costs));
  if (settings.order == HypothesisOrder::kWorth) {
    MASH_ASSIGN(const EvaluationOrder order, order_by_worth(*given, costs));
    for (std::size_t i = 0; i < order.size(); ++i) model.hypotheses[i] = given->hypotheses[order[i]];
  }
  MASH_ASSIGN(const std::vector<Needs> needs, costs.needs(model));
  Purchases all(costs);
  for (const Needs& of_hypothesis : needs) all.pay(of_hypothesis);
  return BudgetModel{serialise(model), model.hypotheses.size(), costs.unit(), all.spent()};
}

nlohmann::ordered_json to_json(const BudgetModel& model) {
  return {{"hypotheses", model.num_hypotheses},
          {"unit", model.unit.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(model.unit)},
          {"price", model.price}};
}

}  // namespace mash
