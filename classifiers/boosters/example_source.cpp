// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/example_source.hpp"

#include <algorithm>

#include "framework/base/require.hpp"

namespace mash {

SignedWeights WholeTrainingSide::start(const Dataset& dataset, const Workers& workers) const {
  SignedWeights weights(dataset.train.labels, dataset.num_classes());
  initialise(init_, workers, weights);
  return weights;
}

void leave_out(std::span<const std::uint32_t> examples, const Workers& workers, SignedWeights& weights) {
  require(examples.size() < weights.num_examples(), "some training examples are left");
  for (const std::uint32_t n : examples) std::ranges::fill(weights.row(n), 0.0);
  weights.update_example_weights(workers);
  weights.normalise(workers);
}

}  // namespace mash
