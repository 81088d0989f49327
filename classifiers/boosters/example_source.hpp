// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "classifiers/scan/signed_weights.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// What each example of the training side weighs, class by class, before the first round.
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

// The training side without some examples, which weigh nothing; the others weigh alike.
class PartOfTrainingSide final : public ExampleSource {
 public:
  // left_out: outlives it. REQUIRES: some examples are left.
  explicit PartOfTrainingSide(std::span<const std::uint32_t> left_out) : left_out_(left_out) {}
  SignedWeights start(const Dataset& dataset, const Workers& workers) const override;

 private:
  std::span<const std::uint32_t> left_out_;
};

}  // namespace mash
