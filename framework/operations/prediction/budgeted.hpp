// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "classifiers/budget/early_stopping.hpp"
#include "classifiers/budget/paid_prediction.hpp"
#include "framework/base/work_context.hpp"
#include "framework/operations/prediction/predict.hpp"

namespace mash {

// Budget for all features of one image together.
struct PredictionBudget {
  double budget = Purchases::kUnlimited;  // hypotheses that cost more than the rest of it are skipped
  std::filesystem::path costs = {};       // what features cost; empty: as the model says, else 1 each
};

// The rule of a predictor for such a budget.
BudgetRule rule_of(const PredictionBudget& budget);

// The spending on some examples.
struct Spending {
  std::string unit;                // of the costs; empty: the user knows it
  double mean = 0;                 // for one example
  double largest = 0;              // for any example; at most the budget
  double mean_evaluated = 0;       // hypotheses
  std::size_t num_hypotheses = 0;  // of the model
};

Spending spending_of(std::span<const PaidPrediction> examples, const FeatureCosts& costs,
                     const StrongClassifier& model);

struct PaidImage {
  std::string image;                       // as it was named
  std::optional<std::string> broken = {};  // why it could not be classified; then the rest means nothing
  std::string class_name = {};
  std::size_t num_evaluated = 0;  // hypotheses
  double spent = 0;
};
struct PaidImages {
  std::vector<PaidImage> images;
  Spending spending;
};
// Classifies pictures within a budget. Hypotheses are evaluated in the model's order, until none that is left
// can change the class. Those that cost more than the rest of the budget are skipped. Errors (kInput): those
// of predict_images; costs that cannot be read or are of other families; a model that is no sum of
// hypotheses.
Result<PaidImages> predict_images_within(const ModelSource& source, const PicturesToPredict& pictures,
                                         const PredictionBudget& budget, const WorkContext& work);

struct PaidDataset {
  DatasetPrediction prediction;
  Spending spending;
  std::vector<PaidPrediction> examples;
};
// The same for the test side of a data set. Further errors: those of predict_dataset; a store is given, from
// which features would be read and not computed.
Result<PaidDataset> predict_dataset_within(const ModelSource& source, const DatasetToPredict& dataset,
                                           const PredictionBudget& budget, const WorkContext& work);

nlohmann::ordered_json to_json(const PaidImages& images, const PredictionBudget& budget);
nlohmann::ordered_json to_json(const DatasetToPredict& dataset, const PaidDataset& paid,
                               const PredictionBudget& budget);

}  // namespace mash
