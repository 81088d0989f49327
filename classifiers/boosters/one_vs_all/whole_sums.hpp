// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/boosters/one_vs_all/example_plan.hpp"

namespace mash {

// F of each binary problem, of all training examples.
class WholeSums {
 public:
  // All of it outlives the sums.
  WholeSums(const BinaryProblems& problems, const FeatureSet& features);

  const std::vector<double>& of(std::size_t problem) const { return sums_[problem]; }
  const std::vector<std::vector<double>>& all() const { return sums_; }

  // The cells of a hypothesis on all training examples, which are kept until the next begin_round.
  std::span<const std::uint8_t> cells_of(const Hypothesis& hypothesis);
  void begin_round() { cells_.clear(); }
  // Adds the hypothesis, with one vote, of the round. cells: its cells on some training examples; unless
  // these are all, cells_of finds the others. On how many examples it was evaluated again.
  std::size_t add(std::size_t problem, const Hypothesis& hypothesis, std::span<const std::uint8_t> cells);

  // The share of the training examples whose class is another than these sums say.
  double error() const;

 private:
  const BinaryProblems& problems_;
  const FeatureSet& features_;
  std::vector<std::vector<double>> sums_;
  std::vector<std::uint8_t> cells_;
};

// Counts of all training examples: 0 of those that are left out, else 1. None where none is left out.
std::vector<double> counts_of_all(std::size_t num_examples, std::span<const std::uint32_t> left_out);

}  // namespace mash
