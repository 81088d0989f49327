// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/learners/standard_rows.hpp"
#include "framework/base/random.hpp"

namespace mash {

// The loss of an example with the margin m = y f(z).
enum class HingeLoss {
  kHinge,         // max(0, 1 - m)
  kSquaredHinge,  // max(0, 1 - m)^2
};

// When a coordinate descent ends.
struct DescentLimits {
  double tolerance = 0.01;  // between the lowest and the highest projected gradient; 1 at the start
  std::uint32_t num_passes = 1000;
};

// Linear support vector machine of two classes by dual coordinate descent (Hsieh, Chang, Lin, Keerthi &
// Sundararajan 2008, "A dual coordinate descent method for large-scale linear SVM", Algorithm 3: random order
// and shrinking). It minimises, over v and b,
//   (|v|^2 + b^2) / 2 + the sum over n of C w_n loss(y_n (v z_n + b)).
// The solution stays between calls of `solve`, which begins where the last one ended.
class CoordinateDescent {
 public:
  // Each argument has an entry for every example. squares: |z_n|^2. targets: y_n, 1 or -1. weights: w_n;
  // examples of weight 0 are passed over. Rows, squares and weights outlive this.
  CoordinateDescent(const StandardRows& rows, std::span<const double> squares,
                    std::vector<std::int8_t> targets, std::span<const double> weights, HingeLoss loss);

  // stream: of the order of examples. Returns whether it ended within the tolerance; false too where `stop`
  // was raised. REQUIRES: cost, C, is not below that of the call before.
  bool solve(double cost, const DescentLimits& limits, RandomStream stream, const StopFlag& stop);

  // f(z_n) of a row.
  double score(std::size_t n) const { return rows_.product(n, factors_) + bias_; }
  // v_i / scale_i.
  std::span<const double> factors() const { return factors_; }
  double bias() const { return bias_; }
  // The dual variable of each example of weight above 0, in their order.
  std::span<const double> dual() const { return dual_; }

 private:
  // Bounds of 0 and the projected gradients of a pass over examples.
  struct Bounds {
    double lowest, highest;
  };
  // Goes over the first `num_active` of `active`. An example whose dual variable will stay where it is, by
  // the bounds of the pass before, moves behind them. Returns the bounds of this pass.
  Bounds pass(double cost, const Bounds& before, std::vector<std::uint32_t>& active, std::size_t& num_active);

  const StandardRows& rows_;
  HingeLoss loss_;
  std::vector<std::int8_t> targets_;
  std::span<const double> squares_, weights_;
  std::vector<std::uint32_t> examples_;  // those of weight above 0
  std::vector<double> dual_;             // of each of these
  std::vector<double> factors_;
  double bias_ = 0;
};

}  // namespace mash
