// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/base/parallel.hpp"

namespace mash {

// Log odds beyond this are no further from certain.
inline constexpr double kMostLogOdds = 700;

// The probabilities p_l = e^(F_l) / sum over k of e^(F_k) of the classes of some examples, while one F after
// another changes. They are given as log odds ln(p_l / (1 - p_l)), from -kMostLogOdds to kMostLogOdds, which
// are precise however small 1 - p_l is. Sums: F of each class, of all examples.
class SoftmaxOdds {
 public:
  using Sums = std::vector<std::vector<double>>;

  // sums, workers: outlive it. REQUIRES: at least two classes.
  SoftmaxOdds(const Sums& sums, const Workers& workers);

  // The sums of one class have changed.
  void update(std::size_t label);
  // The log odds become those of the sums as they are now. What F have in common is taken from them.
  void refresh();
  // The log odds of each example, as of the last refresh.
  const std::vector<double>& log_odds(std::size_t label) const { return log_odds_[label]; }

  // The mean of -ln p of the examples' own classes, by the sums as they are now. counts: how often each
  // example counts; none: once. REQUIRES: a label for each example.
  double cross_entropy(std::span<const std::uint16_t> labels, std::span<const double> counts) const;

 private:
  double exp_of(std::size_t label, std::size_t example) const;
  std::size_t num_examples() const { return means_.size(); }

  const Sums& sums_;
  const Workers& workers_;
  std::vector<double> means_;  // of the classes' F at the last refresh, of each example
  Sums exps_;                  // e^(F - mean), as the sums are now
  Sums log_odds_;
};

}  // namespace mash
