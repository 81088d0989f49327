// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/budget_model.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "classifiers/budget/evaluation_order.hpp"
#include "classifiers/budget/model_costs.hpp"
#include "classifiers/model/model_file.hpp"
#include "framework/operations/prediction/loaded_model.hpp"
#include "framework/operations/prediction/paid_model.hpp"

namespace mash {
namespace {

// Examples of the training side, evenly spread.
Result<std::vector<std::uint32_t>> examples_of(const Split& train, std::size_t most) {
  if (train.num_examples == 0) return input_error("found no training example to order hypotheses by");
  std::vector<std::uint32_t> examples(std::min(train.num_examples, most));
  for (std::size_t i = 0; i < examples.size(); ++i)
    examples[i] = std::uint32_t(i * train.num_examples / examples.size());
  return examples;
}

Result<EvaluationOrder> decision_order(const BudgetModelSettings& settings, LoadedModel& loaded,
                                       const StrongClassifier& model, const FeatureCosts& costs,
                                       const WorkContext& work) {
  MASH_ASSIGN(const PaidPredictor predictor, open_paid_predictor(loaded, settings.costs));
  DatasetToPredict wanted = settings.dataset;
  wanted.counts_errors = false;
  MASH_ASSIGN(const Dataset dataset, read_dataset_for(loaded.model, wanted, {}, work));
  MASH_ASSIGN(const auto examples, examples_of(dataset.train, settings.num_examples));
  MASH_ASSIGN(const auto cells,
              predictor.cells(dataset.train, examples, work.workers, work.progress, work.stop));
  return order_by_decisions(model, costs, cells, work.workers, work.progress, work.stop);
}

Result<EvaluationOrder> order_of(const BudgetModelSettings& settings, LoadedModel& loaded,
                                 const StrongClassifier& model, const FeatureCosts& costs,
                                 const WorkContext& work) {
  switch (settings.order) {
    case HypothesisOrder::kWorth: return order_by_worth(model, costs);
    case HypothesisOrder::kDecisions: return decision_order(settings, loaded, model, costs, work);
    case HypothesisOrder::kKept: break;
  }
  EvaluationOrder order(model.hypotheses.size());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

}  // namespace

Result<BudgetModel> budget_model(const BudgetModelSettings& settings, const WorkContext& work) {
  MASH_ASSIGN(LoadedModel loaded, load_model({settings.model, settings.plugins, settings.changed}, work));
  MASH_ASSIGN(const StrongClassifier* given, sum_of(loaded.model, loaded.name));
  if (given->num_classes() < 2)
    return input_error("{}: found a model of {} class, expected at least two", settings.model.string(),
                       given->num_classes());
  MASH_ASSIGN(const FeatureCosts costs, costs_for(*given, settings.costs));
  MASH_ASSIGN(StrongClassifier model, with_costs(*given, costs));
  MASH_ASSIGN(const EvaluationOrder order, order_of(settings, loaded, model, costs, work));
  model = in_order(std::move(model), order);
  MASH_ASSIGN(const double price, total_price(model, costs));
  return BudgetModel{serialise(model), model.hypotheses.size(), costs.unit(), price};
}

nlohmann::ordered_json to_json(const BudgetModel& model) {
  return {{"hypotheses", model.num_hypotheses}, {"unit", unit_json(model.unit)}, {"price", model.price}};
}

}  // namespace mash
