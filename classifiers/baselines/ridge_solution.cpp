// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/ridge_solution.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <limits>

#include "classifiers/learners/fixed_cache.hpp"

namespace mash {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

RidgeSolution solve_ridge(const NormalEquations& equations, double lambda) {
  fix_cache_sizes();
  const auto size = Eigen::Index(equations.num_columns()),
             num_classes = Eigen::Index(equations.num_classes());
  const Eigen::Map<const RowMatrix> moments(equations.moments.data(), size, num_classes);
  Eigen::MatrixXd shifted = Eigen::Map<const Eigen::MatrixXd>(equations.gram.data(), size, size);
  shifted.diagonal().array() += lambda;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(shifted);  // in place
  const RowMatrix coefficients = cholesky.solve(moments);

  // With L L' = G + lambda I: trace(G (G + lambda I)^-1) = d - lambda |L^-1|^2, and the squares of the
  // residuals are those of the targets - moments . b - lambda |b|^2.
  const Eigen::MatrixXd inverse = cholesky.matrixL().solve(Eigen::MatrixXd::Identity(size, size));
  const double num_parameters = 1 + double(size) - lambda * inverse.squaredNorm();
  const double residuals = equations.target_squares - moments.cwiseProduct(coefficients).sum() -
                           lambda * coefficients.squaredNorm();
  const auto num_examples = double(equations.num_examples);
  const double free_share = 1 - num_parameters / num_examples;
  RidgeSolution solution{lambda, {coefficients.data(), coefficients.data() + coefficients.size()}, 0};
  solution.validation_score = free_share > 0 ? residuals / num_examples / (free_share * free_share)
                                             : std::numeric_limits<double>::infinity();
  return solution;
}

Result<RidgeSolution> best_ridge(const NormalEquations& equations, std::span<const double> lambdas,
                                 const WorkContext& work) {
  std::vector<RidgeSolution> solutions(lambdas.size());
  work.progress.start("decompositions", lambdas.size(), "lambdas");
  MASH_TRY(work.workers.try_each(lambdas.size(), work.stop, [&](std::size_t i) -> Status {
    solutions[i] = solve_ridge(equations, lambdas[i]);
    work.progress.advance(1);
    return Done{};
  }));
  work.progress.finish();
  const RidgeSolution* best = &solutions.front();
  for (const RidgeSolution& solution : solutions)
    if (solution.validation_score < best->validation_score ||
        (solution.validation_score == best->validation_score && solution.lambda > best->lambda))
      best = &solution;
  return *best;
}

}  // namespace mash
