// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/budgeted.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/operations/prediction/paid_model.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

Json spending_json(const Spending& spending, const PredictionBudget& budget) {
  return {{"budget", std::isfinite(budget.budget) ? Json(budget.budget) : Json()},
          {"unit", unit_json(spending.unit)},
          {"mean_spent", spending.mean},
          {"largest_spent", spending.largest},
          {"mean_evaluated", spending.mean_evaluated},
          {"hypotheses", spending.num_hypotheses}};
}

// Where no feature can be paid for, all pictures look alike: hypotheses without features decide, or the first
// class is taken.
Status warn_of_small_budget(std::span<const PaidPrediction> examples, const PredictionBudget& budget,
                            const FeatureCosts& costs, const StrongClassifier& model, Remarks& remarks) {
  MASH_ASSIGN(const std::vector<Needs> needs, costs.needs(model));
  double cheapest = Purchases::kUnlimited;
  for (const Needs& needed : needs)
    if (!needed.features.empty()) cheapest = std::min(cheapest, costs.price(needed).total());
  if (examples.empty() || is_within(cheapest, budget.budget) || !std::isfinite(cheapest)) return Done{};
  std::string unit = costs.unit();
  if (cheapest == 1 && unit.ends_with('s')) unit.pop_back();
  remarks.warn(fmt::format(
      "the budget pays for no hypothesis that looks at a picture: every picture is given the class "
      "'{}'; the cheapest costs {:.4g}{}{}",
      model.class_names[examples[0].predicted_class], cheapest, unit.empty() ? "" : " ", unit));
  return Done{};
}

}  // namespace

BudgetRule rule_of(const PredictionBudget& budget) {
  return {budget.budget, BudgetRule::Unaffordable::kSkip, 0};
}

Spending spending_of(std::span<const PaidPrediction> examples, const FeatureCosts& costs,
                     const StrongClassifier& model) {
  Spending spending{costs.unit(), 0, 0, 0, model.hypotheses.size()};
  for (const PaidPrediction& example : examples) {
    spending.mean += example.spent;
    spending.largest = std::max(spending.largest, example.spent);
    spending.mean_evaluated += double(example.num_evaluated);
  }
  const double num_examples = double(std::max<std::size_t>(1, examples.size()));
  spending.mean /= num_examples;
  spending.mean_evaluated /= num_examples;
  return spending;
}

Result<PaidImages> predict_images_within(const ModelSource& source, const PicturesToPredict& pictures,
                                         const PredictionBudget& budget, const WorkContext& work) {
  MASH_ASSIGN(LoadedModel loaded, load_model(source, work));
  MASH_ASSIGN(const PaidPredictor predictor, open_paid_predictor(loaded, budget.costs));
  MASH_ASSIGN(const ReadPictures read, read_pictures_for(loaded, pictures, work));
  MASH_ASSIGN(const auto predictions,
              predictor.predict(read.split, rule_of(budget), work.workers, work.progress, work.stop));
  MASH_TRY(warn_of_small_budget(predictions, budget, predictor.costs(), loaded.model.sum(), work.remarks));
  PaidImages result{{}, spending_of(predictions, predictor.costs(), loaded.model.sum())};
  auto prediction = predictions.begin();
  for (std::size_t n = 0; n < pictures.paths.size(); ++n) {
    PaidImage& image = result.images.emplace_back(PaidImage{pictures.paths[n], read.broken[n]});
    if (image.broken) continue;
    image.class_name = loaded.model.class_names()[prediction->predicted_class];
    image.num_evaluated = prediction->num_evaluated;
    image.spent = prediction->spent;
    ++prediction;
  }
  return result;
}

Result<PaidDataset> predict_dataset_within(const ModelSource& source, const DatasetToPredict& wanted,
                                           const PredictionBudget& budget, const WorkContext& work) {
  if (!wanted.store.empty())
    return input_error("{}: a feature store holds all features already; a budget is for computing them",
                       wanted.store.string());
  MASH_ASSIGN(const auto perturbation, perturbation_of(wanted));
  MASH_ASSIGN(LoadedModel loaded, load_model(source, work));
  MASH_ASSIGN(const PaidPredictor predictor, open_paid_predictor(loaded, budget.costs));
  MASH_ASSIGN(const Dataset dataset, read_dataset_for(loaded.model, wanted, perturbation, work));
  const Stopwatch watch;
  MASH_ASSIGN(auto examples,
              predictor.predict(dataset.test, rule_of(budget), work.workers, work.progress, work.stop));
  const double seconds = watch.seconds();
  MASH_TRY(warn_of_small_budget(examples, budget, predictor.costs(), loaded.model.sum(), work.remarks));
  PaidDataset result{judged_prediction(loaded.model, dataset, classes_of(examples)),
                     spending_of(examples, predictor.costs(), loaded.model.sum()), std::move(examples)};
  result.prediction.seconds.classify = seconds;
  return result;
}

Json to_json(const PaidImages& images, const PredictionBudget& budget) {
  Json json = spending_json(images.spending, budget);
  json["predictions"] = Json::array();
  for (const PaidImage& image : images.images) {
    if (image.broken)
      json["predictions"].push_back({{"broken", *image.broken}, {"image", image.image}});
    else
      json["predictions"].push_back({{"class", image.class_name},
                                     {"evaluated", image.num_evaluated},
                                     {"spent", image.spent},
                                     {"image", image.image}});
  }
  return json;
}

Json to_json(const DatasetToPredict& dataset, const PaidDataset& paid, const PredictionBudget& budget) {
  Json json = to_json(dataset, paid.prediction);
  json.update(spending_json(paid.spending, budget));
  Json spent = Json::array(), evaluated = Json::array();
  for (const PaidPrediction& example : paid.examples) {
    spent.push_back(example.spent);
    evaluated.push_back(example.num_evaluated);
  }
  json["spent"] = std::move(spent);
  json["evaluated"] = std::move(evaluated);
  return json;
}

}  // namespace mash
