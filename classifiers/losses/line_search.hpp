// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace mash {

// First and second derivative of a loss along the coefficient.
struct Slope {
  double first = 0;
  double second = 0;

  Slope& operator+=(const Slope& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};

// The coefficient in [0, 10] where a loss with these derivatives stops falling: Newton steps, bisection where
// they leave the bracket, until |first| <= tolerance and 1e-4 of its size at 0. For a convex loss that is its
// minimum, for another a minimum, which may lie above the loss at 0. 0 where the loss rises from 0; 10 where
// it still falls there.
double line_search(const std::function<Slope(double)>& slope, double tolerance);

}  // namespace mash
