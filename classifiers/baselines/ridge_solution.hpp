// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "classifiers/learners/normal_equations.hpp"

namespace mash {

// The coefficients that minimise, for each class l,
//   sum over n of w_n (y_nl - target_mean_l - sum over i of b_il z_ni)^2 + lambda * sum over i of b_il^2.
struct RidgeSolution {
  double lambda = 0;
  std::vector<double> coefficients;  // d x K, of standardised columns
  // Score of generalised cross-validation (Golub, Heath & Wahba 1979): (R / m) / (1 - p / m)^2. m: the number
  // of examples. R: the sum of the weighted squares of the residuals, over all classes. p: the trace of the
  // matrix that maps targets to fitted targets; 1 of it belongs to the intercept. The score is infinite where
  // p >= m.
  double validation_score = 0;
};

// Solves by Cholesky's decomposition. REQUIRES: lambda > 0.
RidgeSolution solve_ridge(const NormalEquations& equations, double lambda);

// The solution of the lambda with the smallest validation score, or of the largest such lambda among equals.
// A single lambda needs no comparison. Errors: kStopped. REQUIRES: lambdas > 0, at least one.
Result<RidgeSolution> best_ridge(const NormalEquations& equations, std::span<const double> lambdas,
                                 const WorkContext& work);

}  // namespace mash
