// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/online/stream.hpp"
#include "classifiers/scan/signed_weights.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// Weights of each example of the training side, class by class, before the first round.
class ExampleSource {
 public:
  virtual ~ExampleSource() = default;
  // The weights with the labels folded in, their magnitudes adding up to 1. dataset: outlives them.
  virtual SignedWeights start(const Dataset& dataset, const Workers& workers) const = 0;
};

// The whole training side, a weight for each example and class.
class WholeTrainingSide final : public ExampleSource {
 public:
  explicit WholeTrainingSide(InitialWeights init) : init_(init) {}
  SignedWeights start(const Dataset& dataset, const Workers& workers) const override;

 private:
  InitialWeights init_;
};

// The numbers of the examples that are not left out, increasing. left_out: increasing.
std::vector<std::uint32_t> trained_on(std::size_t num_examples, std::span<const std::uint32_t> left_out);

// The training examples in the order of a stream. Those that are not left out come in passes, again and
// again. Where the side never ends, each of its examples comes once. REQUIRES: a side that never ends leaves
// none out.
ExampleStream training_stream(const Split& side, std::span<const std::uint32_t> left_out, std::uint64_t seed);

// Sets the weights of these examples to 0, and scales the weights of the others to add up to 1. REQUIRES:
// some examples are left.
void leave_out(std::span<const std::uint32_t> examples, const Workers& workers, SignedWeights& weights);

// Multiplies the weights of each example by its factor, and scales all to add up to 1. REQUIRES: a factor of
// 0 or more for each example; they do not leave all weights 0.
void weigh(std::span<const double> factors, const Workers& workers, SignedWeights& weights);

}  // namespace mash
