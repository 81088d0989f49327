// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/rows_in_memory.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/learners/input_training.hpp"
#include "classifiers/learners/normal_equations.hpp"
#include "classifiers/learners/row_blocks.hpp"
#include "classifiers/learners/rows_memory.hpp"

namespace mash {
namespace {

void fill_in_means(RowsInMemory& kept) {
  const std::size_t width = kept.rows.num_columns;
  std::vector<double> weights(width);
  kept.means.resize(width);
  for (std::size_t k = 0; k < kept.rows.values.size(); ++k) {
    if (!std::isfinite(kept.rows.values[k])) continue;
    weights[k % width] += kept.weights[k / width];
    kept.means[k % width] += kept.weights[k / width] * double(kept.rows.values[k]);
  }
  for (std::size_t i = 0; i < width; ++i)
    if (weights[i] > 0) kept.means[i] /= weights[i];
  for (std::size_t k = 0; k < kept.rows.values.size(); ++k)
    if (!std::isfinite(kept.rows.values[k])) kept.rows.values[k] = stand_in(kept.means[k % width]);
}

}  // namespace

std::vector<std::uint32_t> features_to_keep(std::span<const std::uint32_t> drawn, FeatureNumber number,
                                            const FeatureSet& features) {
  std::vector<std::uint32_t> kept;
  for (const std::uint32_t feature : drawn)
    if (number == FeatureNumber::kValue || features.num_cuts(feature) > 0) kept.push_back(feature);
  return kept;
}

Result<RowsInMemory> read_rows_in_memory(const FeatureMatrix& matrix, const TrainingContext& context) {
  MASH_TRY(check_rows_fit(matrix));
  const std::vector<double> weights = example_weights(context);
  const std::size_t width = matrix.num_columns();
  const bool are_codes = matrix.number() == FeatureNumber::kCode;
  RowsInMemory kept;
  kept.rows.num_columns = width;
  context.work.progress.start("rows", matrix.num_rows(), "examples");
  MASH_TRY(for_row_blocks(matrix, context.work, [&](std::size_t first, std::span<const float> numbers) {
    const std::size_t count = std::min(kBlockRows, matrix.num_rows() - first);
    for (std::size_t r = 0; r < count; ++r) {
      if (weights[first + r] == 0) continue;
      add_rows(numbers.subspan(r * width, width), are_codes, kept.rows);
      kept.examples.push_back(std::uint32_t(first + r));
      kept.weights.push_back(weights[first + r]);
    }
  }));
  context.work.progress.finish();
  fill_in_means(kept);
  return kept;
}

}  // namespace mash
