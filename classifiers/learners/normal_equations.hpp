// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// The sums over examples that least squares on standardised features needs. Example n has the weight w_n.
// Column i of the matrix is z_ni = (x_ni - mean_i) / scale_i, with weighted mean 0 and variance 1. Where x_ni
// is not finite, the mean takes its place. Targets are y_nl = 1 where l is the class of example n, else -1.
struct NormalEquations {
  std::vector<std::uint32_t> columns;  // those of the matrix that are not constant, d of them, increasing
  std::vector<double> means, scales;   // of each of these
  std::vector<double> gram;            // d x d: sum over n of w_n z_ni z_nj
  std::vector<double> moments;         // d x K: sum over n of w_n z_ni y_nl
  std::vector<double> target_means;    // K
  double target_squares = 0;           // sum over n and l of w_n (y_nl - target_mean_l)^2
  std::size_t num_examples = 0;        // of a weight above 0

  std::size_t num_columns() const { return columns.size(); }
  std::size_t num_classes() const { return target_means.size(); }
};

// The number that takes the place of a value that is not finite: the mean, rounded as models keep it.
inline float stand_in(double mean) { return float(mean); }

// Whether a column with this standard deviation has one value only, apart from rounding.
inline bool is_constant(double mean, double deviation) { return deviation <= 1e-9 * std::abs(mean); }

// Reads the matrix twice, in blocks of rows. The result has the same bits for any number of threads. weights:
// one for each row; none below 0, and their sum above 0. Errors: kStopped.
Result<NormalEquations> normal_equations(const FeatureMatrix& matrix, std::span<const std::uint16_t> labels,
                                         std::size_t num_classes, std::span<const double> weights,
                                         const WorkContext& work);

}  // namespace mash
