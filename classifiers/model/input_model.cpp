// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/input_model.hpp"

#include <algorithm>
#include <cmath>

namespace mash {

float ModelInput::of(float x) const {
  if (is_code())  // no threshold is <= NaN, which has code 0
    return std::isnan(x)
               ? 0
               : float(std::upper_bound(thresholds.begin(), thresholds.end(), x) - thresholds.begin());
  return std::isfinite(x) ? x : missing;
}

std::vector<float> numbers_of(const InputModel& model, std::span<const float> values) {
  std::vector<float> numbers;
  for (std::size_t i = 0; i < model.inputs.size(); ++i) numbers.push_back(model.inputs[i].of(values[i]));
  return numbers;
}

std::vector<std::vector<std::uint32_t>> needed_features(const InputModel& model) {
  std::vector<std::vector<std::uint32_t>> needed(model.families.size());
  for (const ModelInput& input : model.inputs) needed[input.family_idx].push_back(input.feature_idx);
  return needed;
}

double score_bound(const InputModel& model) { return model.largest_score; }

}  // namespace mash
