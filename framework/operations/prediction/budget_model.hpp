// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"
#include "framework/operations/prediction/predict.hpp"

namespace mash {

// The order in which the hypotheses of a model are evaluated.
enum class HypothesisOrder {
  kKept,       // as they are
  kWorth,      // by how much each can change the scores per cost (order_by_worth)
  kDecisions,  // by how many training examples each decides per cost (order_by_decisions)
};

struct BudgetModelSettings {
  std::filesystem::path model;
  std::filesystem::path costs;  // empty: as the model says, else 1 for each feature
  HypothesisOrder order = HypothesisOrder::kWorth;
  // For kDecisions only: num_examples examples of the training side of a data set, evenly spread, or all
  // where there are fewer.
  DatasetToPredict dataset = {};
  std::size_t num_examples = 1000;
  PluginPlaces plugins = {};
  ChangedHeuristics changed = {};
};

// The file of the same model with its costs and with its hypotheses in this order. The sum of the votes is
// the same except for rounding.
struct BudgetModel {
  std::string file;  // what is to be written
  std::size_t num_hypotheses = 0;
  std::string unit;
  double price = 0;  // of all features that it may ask for
};
// Errors (kInput): those of load_model and read_costs; the model is no sum of hypotheses. With kDecisions
// also: those of read_dataset_for and PaidPredictor::open; there is no training example; kStopped.
Result<BudgetModel> budget_model(const BudgetModelSettings& settings, const WorkContext& work);

nlohmann::ordered_json to_json(const BudgetModel& model);

}  // namespace mash
