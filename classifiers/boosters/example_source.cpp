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

SignedWeights PartOfTrainingSide::start(const Dataset& dataset, const Workers& workers) const {
  require(left_out_.size() < dataset.train.num_examples, "some training examples are left");
  SignedWeights weights(dataset.train.labels, dataset.num_classes());
  initialise(InitialWeights::kUniform, workers, weights);
  for (const std::uint32_t n : left_out_) std::ranges::fill(weights.row(n), 0.0);
  weights.update_example_weights(workers);
  weights.normalise(workers);
  return weights;
}

}  // namespace mash
