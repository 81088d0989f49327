// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/linear_model.hpp"

#include <algorithm>
#include <cmath>

namespace mash {

float LinearInput::of(float x) const {
  if (is_code())  // no threshold is <= NaN, which has code 0
    return std::isnan(x)
               ? 0
               : float(std::upper_bound(thresholds.begin(), thresholds.end(), x) - thresholds.begin());
  return std::isfinite(x) ? x : missing;
}

void linear_scores(const LinearModel& model, std::span<const float> numbers, std::span<double> scores) {
  std::copy(model.intercepts.begin(), model.intercepts.end(), scores.begin());
  const double* coefficient = model.coefficients.data();
  for (const float number : numbers)
    for (double& score : scores) score += *coefficient++ * double(number);
}

std::vector<std::vector<std::uint32_t>> needed_features(const LinearModel& model) {
  std::vector<std::vector<std::uint32_t>> needed(model.families.size());
  for (const LinearInput& input : model.inputs) needed[input.family_idx].push_back(input.feature_idx);
  return needed;
}

double score_bound(const LinearModel& model) { return model.largest_score; }

}  // namespace mash
