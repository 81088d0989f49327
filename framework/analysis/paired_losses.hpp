// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/base/loss_sums.hpp"
#include "framework/base/mean_error.hpp"

namespace mash {

// The losses of two models on the same examples, seed after seed, of which only sums are kept: memory for two
// numbers an example, for any number of seeds. From these sums follow the two-way table (seeds by examples)
// of every difference a * before - b * after.
class PairedLosses {
 public:
  explicit PairedLosses(std::size_t num_examples)
      : before_{{}, std::vector<double>(num_examples)}, after_(before_) {}

  // One seed: the loss of each example by the one model and by the other. REQUIRES: one for each example;
  // means above 0.
  void add(std::span<const double> before, std::span<const double> after);

  std::size_t num_seeds() const { return before_.of_seeds.size(); }
  std::size_t num_examples() const { return before_.of_examples.size(); }
  // The mean loss of all seeds and examples. REQUIRES: a seed.
  double mean_before() const { return mean(before_); }
  double mean_after() const { return mean(after_); }
  // By how many per cent the mean loss falls: 100 ln(mean before / mean after), a ratio of means over seeds,
  // so that no seed with a small loss weighs more than its share. REQUIRES: a seed.
  double gain() const;
  // The factor by which differences of losses become parts of the gain: their mean is gain() then. The limit
  // where both means are equal. REQUIRES: a seed.
  double gain_factor() const;
  // By how many per cent the loss of each seed by itself falls.
  std::vector<double> seed_gains() const;
  // The mean squares of a * before - b * after. REQUIRES: two seeds, two examples.
  MeanSquares mean_squares(double a, double b) const;
  // The error of gain(): that of the mean of z = 100 (before / mean before - after / mean after), the delta
  // method for a ratio of means. What a seed or an example has in common in both models cancels in z.
  // REQUIRES: as mean_squares.
  MeanError error() const;
  // For rankings: the sums of the losses after, of those that share the losses before; and the gain with the
  // sums of its table, of those that do not. REQUIRES: a seed.
  const LossSums& sums_after() const { return after_; }
  GainSums gain_sums() const;

 private:
  double mean(const LossSums& sums) const;

  LossSums before_, after_;
  // Sums of products over all seeds and examples.
  double before_squared_ = 0, after_squared_ = 0, before_after_ = 0;
};

// The error of the gain. least_sd: the standard deviation over seeds is taken to be at least this, in per
// cent, since few seeds can agree by chance. REQUIRES: two seeds, two examples.
MeanError gain_error(const PairedLosses& losses, double least_sd);

// before - after, example by example. REQUIRES: as many of both.
std::vector<double> loss_differences(std::span<const double> before, std::span<const double> after);

}  // namespace mash
