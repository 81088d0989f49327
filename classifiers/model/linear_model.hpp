// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "classifiers/model/input_model.hpp"

namespace mash {

// The linear model f_l(x) = intercept_l + the sum over inputs i of coefficient_il times the number of input
// i. Without inputs it is the constant classifier.
struct LinearModel : InputModel {
  static constexpr std::string_view kKind = "linear";

  std::vector<double> intercepts;    // K
  std::vector<double> coefficients;  // inputs x K
  // The probability of class l is exp(f_l), as a share of the sum over all classes. Else nothing but the
  // order of the scores is promised.
  bool has_softmax = false;

  bool operator==(const LinearModel&) const = default;
};

// The model outlives it.
NumberScores number_scores(const LinearModel& model);

}  // namespace mash
