// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/learners/learner.hpp"
#include "classifiers/model/rows/distances.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// The rows of all examples that have a weight, as models that keep examples have them. The mean of a column,
// by the weights, takes the place of values that are missing.
struct RowsInMemory {
  NumberRows rows;
  std::vector<std::uint32_t> examples;  // of each row, increasing
  std::vector<double> weights;          // of each row
  std::vector<double> means;            // of each column; of codes 0
};

// Those of these features that are not the same for all examples, as far as codes tell.
std::vector<std::uint32_t> features_to_keep(std::span<const std::uint32_t> drawn, FeatureNumber number,
                                            const FeatureSet& features);

// Errors: kStopped; the rows do not fit into the memory that is free (kInput).
Result<RowsInMemory> read_rows_in_memory(const FeatureMatrix& matrix, const TrainingContext& context);

}  // namespace mash
