// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "framework/base/state_numbers.hpp"

namespace mash {

// The curvature of a function, as far as the last steps of a search tell it (limited-memory BFGS: Nocedal &
// Wright 2006, Numerical Optimization, Algorithm 7.4).
class LimitedMemory {
 public:
  static constexpr std::size_t kMostPairs = 10;

  // A step and the change of the gradient over it. One along which the slope did not rise is not kept.
  void add(std::vector<double> step, std::vector<double> change);
  void clear() { pairs_.clear(); }
  bool is_empty() const { return pairs_.empty(); }

  // Where the next step leads: minus the gradient, times the inverse curvature as far as it is known.
  std::vector<double> direction(std::span<const double> gradient) const;

  void keep(StateWriter& writer) const;
  void take_back(StateReader& reader);

 private:
  struct Pair {
    std::vector<double> step, change;
    double inverse;  // 1 / (step * change)
  };
  std::deque<Pair> pairs_;  // the last one at the end
};

// The sum of products, in an order that does not depend on the machine.
double dot(std::span<const double> a, std::span<const double> b);

}  // namespace mash
