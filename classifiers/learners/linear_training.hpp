// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/learners/learner.hpp"
#include "classifiers/model/linear_model.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// A weight for each training example: 0 where the context leaves the example out, else that of the context,
// or 1.
std::vector<double> example_weights(const TrainingContext& context);

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

// Counts for each family the features that were drawn, each of which was computed on all training examples.
void count_drawn(std::span<const std::uint32_t> drawn, const FeatureSet& features, TrainingResult& result);

// The result of a linear model's training, made once the model is fitted. It holds the model's largest score
// and errors on the training side (examples that are left out do not count), its scores on the test side
// where the context asks for them, a curve of one point (round 0, no loss), and the use of its families.
// number: the kind of the inputs. meters: of the fit; their seconds are kept. Errors: kStopped.
Result<TrainingResult> finish_linear(LinearModel model, FeatureNumber number, const Meters& meters,
                                     const TrainingContext& context);

}  // namespace mash
