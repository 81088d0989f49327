// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/linear_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "classifiers/learners/held_out.hpp"
#include "classifiers/learners/normal_equations.hpp"
#include "classifiers/learners/trained_head.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/serving/stored_scores.hpp"

namespace mash {
namespace {

// How the inputs are spread over the families. Shares of a sum of coefficients would mean nothing.
std::vector<FamilyUse> use_of(const LinearModel& model) {
  std::vector<FamilyUse> families(model.families.size());
  for (const LinearInput& input : model.inputs) ++families[input.family_idx].chosen;
  return families;
}

}  // namespace

std::vector<double> example_weights(const TrainingContext& context) {
  std::vector<double> weights(context.example_weights.begin(), context.example_weights.end());
  if (weights.empty()) weights.assign(context.features.num_train(), 1.0);
  for (const std::uint32_t example : context.left_out) weights[example] = 0;
  return weights;
}

LinearModel linear_model_of(const LinearFit& fit, const TrainingContext& context) {
  const FeatureSet& features = context.features;
  LinearModel model{trained_head(context.dataset, features), {}, fit.intercepts, {}, 0, fit.has_softmax};
  const std::size_t num_classes = model.num_classes();
  for (std::size_t i = 0; i < fit.features.size(); ++i) {
    const std::uint32_t feature = fit.features[i];
    LinearInput& input = model.inputs.emplace_back();
    input.family_idx = features.family_of(feature);
    input.feature_idx = features.index_in_family(feature);
    if (fit.number == FeatureNumber::kCode)
      for (std::uint32_t cut = 1; cut <= features.num_cuts(feature); ++cut)
        input.thresholds.push_back(features.threshold(feature, cut));
    else
      input.missing = stand_in(fit.means[i]);
    for (std::size_t l = 0; l < num_classes; ++l) {
      model.coefficients.push_back(fit.factors[i * num_classes + l]);
      model.intercepts[l] -= model.coefficients.back() * fit.means[i];
    }
  }
  return model;
}

void count_drawn(std::span<const std::uint32_t> drawn, const FeatureSet& features, TrainingResult& result) {
  for (const std::uint32_t feature : drawn) {
    FamilyUse& use = result.families[features.family_of(feature)];
    ++use.offered;
    use.evaluated += features.num_train();
  }
}

Result<TrainingResult> finish_linear(LinearModel model, FeatureNumber number, const Meters& meters,
                                     const TrainingContext& context) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const std::size_t num_classes = model.num_classes();
  CurvePoint point{.round = 0,
                   .train_loss_log10 = kNothing,
                   .test_error = kNothing,
                   .cost = meters.fe,
                   .seconds = meters.seconds};
  MASH_ASSIGN(const std::vector<double> train_scores,
              stored_scores(model, context.features, number, Side::kTrain, context.work));
  model.largest_score = 0;
  for (const double score : train_scores)
    model.largest_score = std::max(model.largest_score, std::abs(score));
  point.train_error = weighted_error(predicted_classes(train_scores, num_classes),
                                     context.dataset.train.labels, example_weights(context));
  TrainingResult result;
  if (context.scores_test_side()) {
    MASH_ASSIGN(result.test_scores,
                stored_scores(model, context.features, number, Side::kTest, context.work));
    if (context.features.num_test() > 0)
      point.test_error =
          error_of(predicted_classes(result.test_scores, num_classes), context.dataset.test.labels);
    result.curve = {point};
    context.observer.on_curve(point);
  }
  result.meters = meters;
  result.families = use_of(model);
  result.model = Model(std::move(model));
  return result;
}

}  // namespace mash
