// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/learners/input_training.hpp"
#include "classifiers/model/linear_model.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// A linear function of numbers for each class: f_l(x) = intercept_l + the sum over i of factor_il (x_i -
// mean_i).
struct LinearFit {
  FeatureNumber number = FeatureNumber::kCode;
  std::vector<std::uint32_t> features = {};  // of each input i; numbers of the feature set, increasing
  std::vector<double> means = {};            // of each
  std::vector<double> factors = {};          // inputs x K
  std::vector<double> intercepts = {};       // K
  bool has_softmax = false;                  // as LinearModel has it
};

// The model of these functions.
LinearModel linear_model_of(const LinearFit& fit, const TrainingContext& context);

}  // namespace mash
