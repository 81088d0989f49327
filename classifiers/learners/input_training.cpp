// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/input_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "classifiers/learners/held_out.hpp"
#include "classifiers/learners/normal_equations.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/serving/stored_scores.hpp"
#include "framework/base/hash.hpp"

namespace mash {
namespace {

// How the inputs are spread over the families. Shares of a sum of coefficients would mean nothing.
std::vector<FamilyUse> use_of(const InputModel& model) {
  std::vector<FamilyUse> families(model.families.size());
  for (const ModelInput& input : model.inputs) ++families[input.family_idx].chosen;
  return families;
}

}  // namespace

std::vector<double> example_weights(const TrainingContext& context) {
  std::vector<double> weights(context.example_weights.begin(), context.example_weights.end());
  if (weights.empty()) weights.assign(context.features.num_train(), 1.0);
  for (const std::uint32_t example : context.left_out) weights[example] = 0;
  return weights;
}

ModelInput input_of(std::uint32_t feature, FeatureNumber number, double mean, const FeatureSet& features) {
  ModelInput input;
  input.family_idx = features.family_of(feature);
  input.feature_idx = features.index_in_family(feature);
  if (number == FeatureNumber::kCode)
    for (std::uint32_t cut = 1; cut <= features.num_cuts(feature); ++cut)
      input.thresholds.push_back(features.threshold(feature, cut));
  else
    input.missing = stand_in(mean);
  return input;
}

void count_drawn(std::span<const std::uint32_t> drawn, const FeatureSet& features, TrainingResult& result) {
  for (const std::uint32_t feature : drawn) {
    FamilyUse& use = result.families[features.family_of(feature)];
    ++use.offered;
    use.evaluated += features.num_train();
  }
}

Result<JudgedExamples> judge_some(const NumberScores& scores_of, const NumberRows& rows,
                                  std::span<const std::uint32_t> examples, std::uint64_t seed,
                                  const TrainingContext& context) {
  constexpr std::size_t kRowsAtOnce = 64;
  const std::uint64_t key = keyed_hash(seed, "judged_examples");
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;  // with the row of each
  for (std::uint32_t row = 0; row < examples.size(); ++row)
    order.emplace_back(keyed_hash(key, examples[row]), row);
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), kMostJudged));
  JudgedExamples judged;
  for (const auto& [hash, row] : order) judged.examples.push_back(examples[row]);
  const std::size_t num_classes = context.dataset.num_classes(), width = rows.num_columns;
  judged.scores.resize(order.size() * num_classes);
  MASH_TRY(context.work.workers.try_blocks(
      order.size(), kRowsAtOnce, context.work.stop, [&](std::size_t begin, std::size_t end) -> Status {
        std::vector<float> numbers;
        for (std::size_t i = begin; i < end; ++i)
          for (std::size_t k = order[i].second * width; k < (order[i].second + 1) * width; ++k)
            numbers.push_back(rows.are_codes() ? float(rows.codes[k]) : rows.values[k]);
        scores_of(numbers,
                  std::span(judged.scores).subspan(begin * num_classes, (end - begin) * num_classes));
        return Done{};
      }));
  return judged;
}

Result<TrainingResult> result_of_inputs(InputModel& model, const NumberScores& scores_of,
                                        FeatureNumber number, const Meters& meters,
                                        const TrainingContext& context, const JudgedExamples* judged) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const std::size_t num_classes = model.num_classes();
  CurvePoint point{.round = 0,
                   .train_loss_log10 = kNothing,
                   .test_error = kNothing,
                   .cost = meters.fe,
                   .seconds = meters.seconds};
  JudgedExamples all;
  if (judged == nullptr) {
    MASH_ASSIGN(all.scores,
                stored_scores(model, scores_of, context.features, number, Side::kTrain, context.work));
    all.examples.resize(context.features.num_train());
    std::iota(all.examples.begin(), all.examples.end(), 0u);
    judged = &all;
  }
  model.largest_score = 0;
  for (const double score : judged->scores)
    model.largest_score = std::max(model.largest_score, std::abs(score));
  const std::vector<double> weights = example_weights(context);
  std::vector<std::uint16_t> labels;
  std::vector<double> weights_of_judged;
  for (const std::uint32_t n : judged->examples) {
    labels.push_back(context.dataset.train.labels[n]);
    weights_of_judged.push_back(weights[n]);
  }
  point.train_error =
      weighted_error(predicted_classes(judged->scores, num_classes), labels, weights_of_judged);
  TrainingResult result;
  if (context.scores_test_side()) {
    MASH_ASSIGN(result.test_scores,
                stored_scores(model, scores_of, context.features, number, Side::kTest, context.work));
    if (context.features.num_test() > 0)
      point.test_error =
          error_of(predicted_classes(result.test_scores, num_classes), context.dataset.test.labels);
    result.curve = {point};
    context.observer.on_curve(point);
  }
  result.meters = meters;
  result.families = use_of(model);
  return result;
}

}  // namespace mash
