// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/training_side.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "framework/base/require.hpp"

namespace mash {

SignedWeights WholeTrainingSide::start(const Dataset& dataset, const Workers& workers) const {
  SignedWeights weights(dataset.train.labels, dataset.num_classes());
  initialise(init_, workers, weights);
  return weights;
}

std::vector<std::uint32_t> trained_on(std::size_t num_examples, std::span<const std::uint32_t> left_out) {
  std::vector<std::uint32_t> all(num_examples), kept;
  std::iota(all.begin(), all.end(), 0u);
  std::set_difference(all.begin(), all.end(), left_out.begin(), left_out.end(), std::back_inserter(kept));
  return kept;
}

ExampleStream training_stream(const Split& side, std::span<const std::uint32_t> left_out,
                              std::uint64_t seed) {
  require(left_out.empty() || !side.is_endless(), "training_stream: a side without end is taken as it comes");
  if (side.is_endless()) return {seed, std::uint32_t(side.num_examples), ExampleStream::Order::kEndless};
  return {seed, trained_on(side.num_examples, left_out)};
}

void leave_out(std::span<const std::uint32_t> examples, const Workers& workers, SignedWeights& weights) {
  require(examples.size() < weights.num_examples(), "some training examples are left");
  for (const std::uint32_t n : examples) std::ranges::fill(weights.row(n), 0.0);
  weights.update_example_weights(workers);
  weights.normalise(workers);
}

void weigh(std::span<const double> factors, const Workers& workers, SignedWeights& weights) {
  require(factors.size() == weights.num_examples(), "weigh: a factor for each example");
  for (std::size_t n = 0; n < factors.size(); ++n)
    for (double& weight : weights.row(n)) weight *= factors[n];
  weights.update_example_weights(workers);
  weights.normalise(workers);
}

}  // namespace mash
