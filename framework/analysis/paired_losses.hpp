// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "framework/analysis/paired_differences.hpp"

namespace mash {

// The losses of two models on the same examples, seed after seed, of which only sums are kept: memory for a
// number an example, for any number of seeds.
class PairedLosses {
 public:
  explicit PairedLosses(std::size_t num_examples) : differences_(num_examples) {}

  // One seed: the loss of each example by the one model and by the other. REQUIRES: one for each example.
  void add(std::span<const double> before, std::span<const double> after);

  std::size_t num_seeds() const { return gains_.size(); }
  std::size_t num_examples() const { return differences_.num_examples(); }
  // The mean of before, over examples and seeds. REQUIRES: a seed.
  double mean_before() const;
  // By how many per cent the mean loss falls, seed by seed: 100 ln(before / after), and their mean.
  std::span<const double> gains() const { return gains_; }
  double gain() const;
  // before - after of each example.
  const PairedDifferences& differences() const { return differences_; }

 private:
  PairedDifferences differences_;
  std::vector<double> gains_;  // of each seed
  double before_ = 0;          // the sum of all losses before
};

// The factor by which differences of losses of one seed become parts of its gain, in per cent: their mean is
// 100 ln(mean before / mean after) then, exactly. REQUIRES: as many before as after, at least one; means
// above 0.
double gain_factor(std::span<const double> before, std::span<const double> after);

// The part of each example in the gain of one seed: the difference of its losses times that.
std::vector<double> example_gains(std::span<const double> before, std::span<const double> after);

// The squared standard error of the mean gain, in per cent squared, where seeds and examples are both drawn
// at random.
struct GainVariance {
  double of_seeds = 0;     // the variance between seeds over their number
  double of_examples = 0;  // the examples' share of the mean, which more seeds do not make smaller

  double standard_error() const { return std::sqrt(of_seeds + of_examples); }
  bool operator==(const GainVariance&) const = default;
};
// least_sd: the standard deviation over seeds is taken to be at least this, since few seeds can agree by
// chance. REQUIRES: two seeds, two examples; a positive mean loss.
GainVariance gain_variance(const PairedLosses& losses, double least_sd);

}  // namespace mash
