// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "classifiers/losses/line.hpp"

namespace mash {

// Looks along a line for the coefficient in (0, 10] where the loss stops falling, at as few points as it can:
// for a convex loss the minimum, for another a minimum, which may lie above the loss at 0; 10 where the loss
// still falls there. The first point is right for margins that are all 0, and needs no correction where the
// coefficient is small.
class StepSearch {
 public:
  // REQUIRES: start.slope < 0.
  explicit StepSearch(const LineStart& start);

  // The coefficient to try next, or the one that was found.
  double coefficient() const { return coefficient_; }

  // Takes the point there. Returns whether it is what was looked for: its loss is within 1e-6 of the lowest
  // on the line, and its slope at most kTolerance of that at 0.
  bool take(const LinePoint& point);

  static constexpr double kMost = 10;
  static constexpr double kTolerance = 1e-2;  // of the slope at 0: late in training all slopes are small

 private:
  struct Point {
    double coefficient = 0, slope = 0;
  };

  bool is_close(const LinePoint& point) const;
  bool converges() const;
  double next() const;

  double coefficient_;
  Point last_;  // that was looked at
  double low_ = 0,
         high_ = 0;       // the loss falls at the one and rises at the other; high_: 0 where none is known
  double curvature_;      // at the last point: as promised, later by the last two slopes
  double slope_at_zero_;  // its size, not its sign
  double slope_before_ = std::numeric_limits<double>::infinity();  // of the point before the last: its size
  int num_points_ = 0;
};

}  // namespace mash
