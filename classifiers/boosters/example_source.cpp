// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/example_source.hpp"

namespace mash {

SignedWeights WholeTrainingSide::start(const Dataset& dataset, const Workers& workers) const {
  SignedWeights weights(dataset.train.labels, dataset.num_classes());
  initialise(init_, workers, weights);
  return weights;
}

}  // namespace mash
