// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace mash {

// The line f + alpha h for some pairs of an example and a class, one number each.
struct LinePairs {
  std::span<const double> scores;   // f
  std::span<const double> initial;  // initial weights: positive for the example's class, else negative
  std::span<const double> votes;    // h
  // Filled in by a loss at a point: what it needs to begin the next line there. At the beginning of a line,
  // what was filled in at the point f.
  std::span<double> kept;

  std::size_t size() const { return scores.size(); }
};

// A line's beginning. The loss is told by its weights w(m), so all but the mass are up to one constant
// factor, the same as in LinePoint. With a = y h, and g for the magnitude of an initial weight:
struct LineStart {
  double mass = 0;       // sum of g w |a|
  double slope = 0;      // of the loss along alpha: - sum of g w a
  double curvature = 0;  // its first derivative
  double third = 0;      // its second, NaN where a loss does not give it
  double fourth = 0;     // its third, NaN where a loss does not give it

  LineStart& operator+=(const LineStart& other) {
    mass += other.mass;
    slope += other.slope;
    curvature += other.curvature;
    third += other.third;
    fourth += other.fourth;
    return *this;
  }
};

// A point of a line.
struct LinePoint {
  double loss = 0;
  double mass = 0;   // sum of the new weights' magnitudes
  double slope = 0;  // of the loss along alpha

  LinePoint& operator+=(const LinePoint& other) {
    loss += other.loss;
    mass += other.mass;
    slope += other.slope;
    return *this;
  }
};

}  // namespace mash
