// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/base/mean_error.hpp"

namespace mash {

// A number for each of some examples, seed after seed, of which only sums are kept: memory for one number an
// example, for any number of seeds.
class PairedDifferences {
 public:
  explicit PairedDifferences(std::size_t num_examples) : sums_(num_examples) {}

  // One seed. REQUIRES: one for each example.
  void add(std::span<const double> differences);

  std::size_t num_seeds() const { return seed_sums_.size(); }
  std::size_t num_examples() const { return sums_.size(); }
  // The mean over all examples, and that of one. REQUIRES: a seed.
  double mean() const;
  double mean(std::size_t example) const { return sums_[example] / double(num_seeds()); }
  // REQUIRES: two seeds, two examples.
  MeanSquares mean_squares() const;
  // The error of mean(), where seeds and examples are both drawn at random. REQUIRES: as mean_squares.
  MeanError error() const { return {mean_squares(), num_seeds(), num_examples()}; }

 private:
  std::vector<double> sums_;       // of each example
  std::vector<double> seed_sums_;  // of each seed
  double squares_ = 0;             // of all
};

}  // namespace mash
