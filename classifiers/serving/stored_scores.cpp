// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/stored_scores.hpp"

#include <algorithm>

namespace mash {
namespace {

constexpr std::size_t kRowsOfScores = 256;  // at once

std::uint32_t feature_of_input(const ModelInput& input, const FeatureSet& features) {
  return features.first_feature(input.family_idx) + input.feature_idx;
}

bool are_of_store(std::span<const float> thresholds, std::uint32_t feature, const FeatureSet& features) {
  if (features.num_cuts(feature) != thresholds.size()) return false;
  for (std::uint32_t cut = 1; cut <= thresholds.size(); ++cut)
    if (features.threshold(feature, cut) != thresholds[cut - 1]) return false;
  return true;
}

}  // namespace

FeatureNumber number_of(const InputModel& model) {
  return std::ranges::all_of(model.inputs, &ModelInput::is_code) ? FeatureNumber::kCode
                                                                 : FeatureNumber::kValue;
}

Status check_inputs(const InputModel& model, const FeatureSet& features) {
  for (std::size_t k = 0; k < model.families.size(); ++k)
    MASH_TRY(check_dim(model.families[k], features.family_size(k)));
  if (number_of(model) == FeatureNumber::kValue) return Done{};
  for (const ModelInput& input : model.inputs)
    if (!are_of_store(input.thresholds, feature_of_input(input, features), features))
      return input_error(
          "feature {} of {}: the store has other thresholds: the model was trained on another training side, "
          "or with this family beyond the limit of the store; predict without a store",
          input.feature_idx, model.families[input.family_idx].name);
  return Done{};
}

Result<std::vector<double>> stored_scores(const InputModel& model, const NumberScores& scores_of,
                                          const FeatureSet& features, FeatureNumber number, Side side,
                                          const WorkContext& work) {
  std::vector<std::uint32_t> columns;
  for (const ModelInput& input : model.inputs) columns.push_back(feature_of_input(input, features));
  const FeatureMatrix matrix(features, side, std::move(columns), number);
  const std::size_t width = matrix.num_columns(), num_classes = model.num_classes();
  std::vector<double> scores(matrix.num_rows() * num_classes);
  work.progress.start("scores", matrix.num_rows(), "examples");
  work.workers.for_blocks(
      matrix.num_rows(), kRowsOfScores, [&](std::size_t, std::size_t begin, std::size_t end) {
        if (work.stop.raised()) return;
        std::vector<float> numbers((end - begin) * width);
        matrix.read(begin, end - begin, numbers.data());
        if (number == FeatureNumber::kValue)
          for (std::size_t k = 0; k < numbers.size(); ++k)
            numbers[k] = model.inputs[k % width].of(numbers[k]);
        scores_of(numbers, std::span(scores).subspan(begin * num_classes, (end - begin) * num_classes));
        work.progress.advance(end - begin);
      });
  work.progress.finish();
  if (work.stop.raised()) return stopped_by_user();
  return scores;
}

}  // namespace mash
