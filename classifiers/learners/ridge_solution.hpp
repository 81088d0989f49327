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
  // Generalised cross-validation (Golub, Heath & Wahba 1979), with m examples, the residuals' weighted
  // squares R over all classes, and p the trace of the matrix that gives fitted targets from targets, 1 of
  // which is the intercept's: (R / m) / (1 - p / m)^2. Infinite where p >= m.
  double validation_score = 0;
};

// By Cholesky's decomposition. REQUIRES: lambda > 0.
RidgeSolution solve_ridge(const NormalEquations& equations, double lambda);

// That of the lambda with the smallest validation score, the largest lambda among equals; of one lambda its
// own. Errors: kStopped. REQUIRES: lambdas > 0, at least one.
Result<RidgeSolution> best_ridge(const NormalEquations& equations, std::span<const double> lambdas,
                                 const WorkContext& work);

}  // namespace mash
