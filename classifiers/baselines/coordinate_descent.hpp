// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/learners/standard_rows.hpp"
#include "framework/base/state_numbers.hpp"

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
// A search for one C goes in passes over the examples, and begins at the solution of the search before.
class CoordinateDescent {
 public:
  // Each argument has an entry for every example. squares: |z_n|^2. targets: y_n, 1 or -1. weights: w_n;
  // examples of weight 0 are passed over. Rows and squares outlive this.
  CoordinateDescent(const StandardRows& rows, std::span<const double> squares,
                    std::vector<std::int8_t> targets, std::span<const double> weights, HingeLoss loss);

  // Weights from now on. REQUIRES: an example that has a weight keeps it.
  void weigh_more(std::span<const double> weights);

  // order_key: of the order of examples in each pass. REQUIRES: cost, C, is not below that of the search
  // before.
  void begin(double cost, const DescentLimits& limits, std::uint64_t order_key);
  // REQUIRES: a search has begun and has not ended.
  void pass();
  bool has_ended() const { return search_.converged || search_.num_passes == search_.limits.num_passes; }
  // Whether it ended within the tolerance.
  bool has_converged() const { return search_.converged; }

  // f(z_n) of a row.
  double score(std::size_t n) const { return rows_.product(n, sum_, n) + bias(); }
  // v_i / scale_i.
  double factor(std::size_t column) const { return rows_.factor(column, sum_); }
  double bias() const { return sum_.steps; }
  // The dual variable of each example of weight above 0, in their order.
  std::vector<double> dual() const;

  // Solution and search between two passes.
  void keep(StateWriter& writer) const;
  // Goes back to what `keep` wrote, of one with the same rows and weights. REQUIRES: `begin` was called with
  // the same arguments.
  void take_back(StateReader& reader);

 private:
  // Bounds of 0 and the projected gradients of a pass over examples.
  struct Bounds {
    double lowest, highest;
  };
  // An example of weight above 0. Side by side, as passes come to examples in no order.
  struct Example {
    double square, weight, dual;
    std::uint32_t row;
    std::int8_t target;
  };
  struct Search {
    double cost = 0;
    DescentLimits limits;
    std::uint64_t order_key = 0;
    std::vector<std::uint32_t> order = {};  // examples; the first `num_active` are looked at
    std::size_t num_active = 0;
    Bounds before{0, 0};  // of the pass before
    std::uint32_t num_passes = 0;
    bool converged = false;
  };
  // Goes over the active examples. One whose dual variable will stay where it is, by the bounds of the pass
  // before, moves behind them. Returns the bounds of this pass.
  Bounds move_along();

  const StandardRows& rows_;
  HingeLoss loss_;
  std::vector<std::int8_t> targets_;
  std::span<const double> squares_;
  std::vector<Example> examples_;
  RowSum sum_;  // v and, as its steps, b
  Search search_;
};

}  // namespace mash
