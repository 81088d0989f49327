// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/linear_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "classifiers/model/strong_classifier.hpp"

namespace mash {
namespace {

constexpr std::size_t kRowsAtOnce = 256;

// The scores of all examples of a side, num_examples x K.
Result<std::vector<double>> scores_of(const LinearModel& model, FeatureNumber number, Side side,
                                      const TrainingContext& context) {
  std::vector<std::uint32_t> columns;
  for (const LinearInput& input : model.inputs)
    columns.push_back(context.features.first_feature(input.family_idx) + input.feature_idx);
  const FeatureMatrix matrix(context.features, side, std::move(columns), number);
  const std::size_t width = matrix.num_columns(), num_classes = model.num_classes();
  std::vector<double> scores(matrix.num_rows() * num_classes);
  context.work.workers.for_blocks(
      matrix.num_rows(), kRowsAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) {
        if (context.work.stop.raised()) return;
        std::vector<float> numbers((end - begin) * width);
        matrix.read(begin, end - begin, numbers.data());
        for (std::size_t n = begin; n < end; ++n) {
          const auto row = std::span(numbers).subspan((n - begin) * width, width);
          if (number == FeatureNumber::kValue)
            for (std::size_t i = 0; i < width; ++i) row[i] = model.inputs[i].of(row[i]);
          linear_scores(model, row, std::span(scores).subspan(n * num_classes, num_classes));
        }
      });
  if (context.work.stop.raised()) return stopped_by_user();
  return scores;
}

double weighted_error(std::span<const std::uint16_t> classes, std::span<const std::uint16_t> labels,
                      std::span<const double> weights) {
  double wrong = 0, all = 0;
  for (std::size_t n = 0; n < classes.size(); ++n) {
    all += weights[n];
    if (classes[n] != labels[n]) wrong += weights[n];
  }
  return all > 0 ? wrong / all : 0;
}

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

Result<TrainingResult> finish_linear(LinearModel model, FeatureNumber number, const Meters& meters,
                                     const TrainingContext& context) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const std::size_t num_classes = model.num_classes();
  CurvePoint point{.round = 0,
                   .train_loss_log10 = kNothing,
                   .test_error = kNothing,
                   .cost = meters.fe,
                   .seconds = meters.seconds};
  MASH_ASSIGN(const std::vector<double> train_scores, scores_of(model, number, Side::kTrain, context));
  model.largest_score = 0;
  for (const double score : train_scores)
    model.largest_score = std::max(model.largest_score, std::abs(score));
  point.train_error = weighted_error(predicted_classes(train_scores, num_classes),
                                     context.dataset.train.labels, example_weights(context));
  TrainingResult result;
  if (context.scores_test_side()) {
    MASH_ASSIGN(result.test_scores, scores_of(model, number, Side::kTest, context));
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
