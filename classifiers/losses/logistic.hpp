// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace mash {

// The logistic loss of a margin m = y f(x): log2(1 + e^-m), so that it is 1 at m = 0 as the exponential loss
// is.
double logistic_loss(double margin);
// What the example weighs: -d/dm ln(1 + e^-m) = 1 / (1 + e^m).
double logistic_weight(double margin);

// First and second derivative of a loss along the coefficient.
struct Slope {
  double first = 0;
  double second = 0;
};

// The coefficient in [0, 10] that minimises a convex loss with these derivatives: Newton steps, bisection
// where they leave the bracket, until |first| <= tolerance, and 1e-4 of that at 0. 0 where the loss rises
// from 0; 10 where it still falls there.
double minimise_convex(const std::function<Slope(double)>& slope, double tolerance);

}  // namespace mash
