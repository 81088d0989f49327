// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/rows_learner.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "classifiers/learners/drawn_features.hpp"
#include "classifiers/learners/row_blocks.hpp"

namespace mash {

Result<TrainingResult> RowsLearner::train(std::uint64_t seed, const TrainingContext& context) const {
  const FeatureSet& features = context.features;
  const auto drawn = drawn_features(features, inputs_.num_features, seed, std::string(name_) + ".features");
  const std::vector<double> weights = example_weights(context);
  Meters meters;
  meters.fe = drawn.size() * features.num_train();
  const Stopwatch watch;
  const FeatureMatrix matrix(features, Side::kTrain, drawn, inputs_.number);
  MASH_ASSIGN(const StandardRows rows, StandardRows::read(matrix, weights, context.work));
  MASH_ASSIGN(Fitted fitted, fit(rows, drawn, weights, seed, context));
  fitted.fit.number = inputs_.number;
  meters.seconds = fitted.earlier_seconds + watch.seconds();
  meters.phases.refit = meters.seconds;
  MASH_ASSIGN(TrainingResult result,
              finish_inputs(linear_model_of(fitted.fit, context), inputs_.number, meters, context));
  count_drawn(drawn, features, result);
  result.chosen = std::move(fitted.chosen);
  return result;
}

std::uint64_t RowsLearner::num_columns(const TrainingSize& size) const {
  return std::min<std::uint64_t>(size.num_features, inputs_.num_features);
}

std::uint64_t RowsLearner::rows_bytes(const TrainingSize& size) const {
  const std::uint64_t width = num_columns(size);
  return size.num_train * width * bytes_of_number(inputs_.number) + bytes_of_row_blocks(width) +
         size.score_bytes();
}

}  // namespace mash
