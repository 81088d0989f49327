// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "classifiers/model/model_head.hpp"

namespace mash {

// A number that a linear model computes from one feature x: x itself, or the code of x.
struct LinearInput {
  std::uint32_t family_idx = 0;
  std::uint32_t feature_idx = 0;  // within the family
  // Thresholds of a code, finite and increasing: the number is how many of them are <= x, and 0 for NaN.
  std::vector<float> thresholds;
  // For x itself: the number that is taken where x is not finite.
  float missing = 0;

  bool is_code() const { return !thresholds.empty(); }
  float of(float x) const;
  bool operator==(const LinearInput&) const = default;
};

// The linear model f_l(x) = intercept_l + the sum over inputs i of coefficient_il times the number of input
// i. Without inputs it is the constant classifier.
struct LinearModel : ModelHead {
  static constexpr std::string_view kKind = "linear";

  std::vector<LinearInput> inputs;   // of different features, by family, then by feature
  std::vector<double> intercepts;    // K
  std::vector<double> coefficients;  // inputs x K
  // The largest |f_l| on the training examples. Scores of other examples may be larger.
  double largest_score = 0;
  // The probability of class l is exp(f_l), as a share of the sum over all classes. Else nothing but the
  // order of the scores is promised.
  bool has_softmax = false;

  bool operator==(const LinearModel&) const = default;
};

// scores: K numbers, overwritten. numbers: those of the inputs, in order.
void linear_scores(const LinearModel& model, std::span<const float> numbers, std::span<double> scores);

// For each family the features of its inputs, increasing.
std::vector<std::vector<std::uint32_t>> needed_features(const LinearModel& model);

// Returns largest_score. Margins are fractions of it.
double score_bound(const LinearModel& model);

}  // namespace mash
