// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "classifiers/model/input_model.hpp"

namespace mash {

// Naive Bayes with a normal density of each input in each class (Duda & Hart 1973). The score of class l is
// its log density together with that of the example,
//   ln prior_l - the sum over inputs i of (ln(2 pi variance_il) + (number_i - mean_il)^2 / variance_il) / 2,
// so that exp of it, as a share of the sum over all classes, is the probability of the class. A class of
// prior 0, of which there was no example, has the smallest score of the others less kNeverSeen.
struct GaussianModel : InputModel {
  static constexpr std::string_view kKind = "gaussian";
  static constexpr double kNeverSeen = 700;  // a share of e^-700

  std::vector<double> priors;            // K shares, at least one above 0
  std::vector<double> means, variances;  // inputs x K; variances are above 0

  bool operator==(const GaussianModel&) const = default;
};

// The scores of classes of a prior above 0 are constant_l - the sum over i of factor_il
// (number_i - mean_il)^2.
struct GaussianTerms {
  std::vector<double> constants;  // K
  std::vector<double> factors;    // inputs x K
};
GaussianTerms terms_of(const GaussianModel& model);

// The log density of input i with this number in class l.
double log_density(const GaussianModel& model, std::size_t i, std::size_t l, double number);

// The model outlives it.
NumberScores number_scores(const GaussianModel& model);

}  // namespace mash
