// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// Weighted means and variances of the columns of a matrix. Where a value is not finite, the mean of the
// column takes its place, as a model's input does (stand_in).
struct ClassMoments {
  std::vector<double> weights;                     // K: the sum over the examples of each class
  std::vector<double> means;                       // of each column, over the values that are finite
  std::vector<double> class_means, class_squares;  // columns x K; the second: mean squares about the first
  std::vector<double> variances;                   // of each column, over all examples

  std::size_t num_classes() const { return weights.size(); }
};

// Reads the matrix twice, in blocks of rows. The result has the same bits for any number of threads. A class
// without weight has means and mean squares of 0. weights: one for each row; none below 0, and their sum
// above
// 0. Errors: kStopped.
Result<ClassMoments> class_moments(const FeatureMatrix& matrix, std::span<const std::uint16_t> labels,
                                   std::size_t num_classes, std::span<const double> weights,
                                   const WorkContext& work);

}  // namespace mash
