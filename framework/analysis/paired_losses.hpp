// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/analysis/paired_differences.hpp"

namespace mash {

// The losses of two models on the same examples, seed after seed, of which only sums are kept: memory for a
// number an example, for any number of seeds.
class PairedLosses {
 public:
  explicit PairedLosses(std::size_t num_examples) : of_examples_(num_examples) {}

  // One seed: the loss of each example by the one model and by the other. REQUIRES: one for each example.
  void add(std::span<const double> before, std::span<const double> after);

  std::size_t num_seeds() const { return gains_.size(); }
  std::size_t num_examples() const { return of_examples_.num_examples(); }
  // By how many per cent the mean loss falls, seed by seed: 100 ln(before / after), and their mean.
  std::span<const double> gains() const { return gains_; }
  double gain() const;
  // The example_gains of each seed, whose means are gains().
  const PairedDifferences& of_examples() const { return of_examples_; }

 private:
  PairedDifferences of_examples_;
  std::vector<double> gains_;  // of each seed
};

// The factor by which differences of losses of one seed become parts of its gain, in per cent: their mean is
// 100 ln(mean before / mean after) then, exactly. REQUIRES: as many before as after, at least one; means
// above 0.
double gain_factor(std::span<const double> before, std::span<const double> after);

// The part of each example in the gain of one seed: the difference of its losses times that.
std::vector<double> example_gains(std::span<const double> before, std::span<const double> after);

// The error of the mean gain. least_sd: the standard deviation over seeds is taken to be at least this, since
// few seeds can agree by chance. REQUIRES: two seeds, two examples.
MeanError gain_error(const PairedLosses& losses, double least_sd);

}  // namespace mash
