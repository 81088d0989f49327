// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "classifiers/scan/kernels/row_factors.hpp"
#include "classifiers/scan/signed_weights.hpp"
#include "classifiers/weak/weak_learner.hpp"

namespace mash {

// Multiplies the weight of each example and class by factor(cell, label, class). `factor` is called once for
// each combination of the three.
template <class Factor>
void multiply_weights(const WeakHypothesis& hypothesis, SignedWeights& weights, const Workers& workers,
                      const Factor& factor) {
  const std::size_t num_classes = weights.num_classes();
  std::vector<double> factors;
  for (std::size_t cell = 0; cell < hypothesis.votes.size() / num_classes; ++cell)
    for (std::size_t label = 0; label < num_classes; ++label)
      for (std::size_t l = 0; l < num_classes; ++l) factors.push_back(factor(cell, label, l));
  const RowFactors all{factors, hypothesis.cells, weights.labels(), num_classes};
  weights.update(workers, [&](std::size_t begin, std::size_t end, std::span<double> sums) {
    RowFactors block = all;
    block.cells = all.cells.subspan(begin, end - begin);
    block.labels = all.labels.subspan(begin, end - begin);
    multiply_rows(block, weights.row(begin).data(), sums.data());
  });
}

}  // namespace mash
