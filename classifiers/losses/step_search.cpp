// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/step_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr int kMaxPoints = 50;
// Points between two leaps while the loss is only known to fall: where it falls like exp(-alpha), Newton's
// steps halve the slope each time and never end.
constexpr int kPointsPerLeap = 10;
// The part of the loss by which a point of a parabola may lie above its minimum. A fiftieth of 1e-6: slopes
// are told up to a constant factor.
constexpr double kLossTolerance = 2e-8;

// (1/2) ln((1 + y) / (1 - y)), the inverse of tanh.
double inverse_tanh(double y) { return 0.5 * stable_log((1 + y) / (1 - y)); }

// c0 + c1 y + c2 y^2 + c3 y^3.
struct Cubic {
  double c0, c1, c2, c3;

  double at(double y) const { return c0 + y * (c1 + y * (c2 + y * c3)); }
  double slope(double y) const { return c1 + y * (2 * c2 + y * 3 * c3); }

  // A zero in (0, 1) by Newton's steps from `first`, or `first` where they leave that.
  double zero_from(double first) const {
    double y = first;
    for (int step = 0; step < 8; ++step) {
      y -= at(y) / slope(y);
      if (!(y > 0 && y < 1)) return first;
    }
    return y;
  }
};

struct Promise {
  double coefficient;
  double curvature;  // there
};

// Where all margins are 0, logistic and Savage loss have their minimum at artanh(edge) / r with r = curvature
// / mass: their slope is nearly a line in y = tanh(r alpha). Elsewhere it is taken as a cubic in y that has
// its derivatives.
Promise promise_of(const LineStart& start) {
  const double ratio = start.curvature / start.mass, edge = -start.slope / start.mass;
  if (!(ratio > 0)) return {1, 0};
  if (!(edge < 1)) return {StepSearch::kMost, start.curvature};
  Cubic cubic{start.slope, start.mass, 0, 0};
  double y = edge;
  if (std::isfinite(start.third) && std::isfinite(start.fourth)) {
    cubic.c2 = start.third / (2 * ratio * ratio);
    cubic.c3 = start.mass / 3 + start.fourth / (6 * ratio * ratio * ratio);
    y = cubic.zero_from(edge);
  }
  const double coefficient = std::clamp(inverse_tanh(y) / ratio, 1e-300, StepSearch::kMost);
  return {coefficient, cubic.slope(y) * ratio * (1 - y * y)};
}

}  // namespace

StepSearch::StepSearch(const LineStart& start) : slope_at_zero_(-start.slope) {
  require(start.slope < 0, "StepSearch: the loss falls at 0");
  const Promise promise = promise_of(start);
  coefficient_ = promise.coefficient;
  curvature_ = promise.curvature;
}

bool StepSearch::take(const LinePoint& point) {
  const Point before = std::exchange(last_, {coefficient_, point.slope});
  if (num_points_++ > 0) curvature_ = (last_.slope - before.slope) / (last_.coefficient - before.coefficient);
  if (is_close(point) || num_points_ >= kMaxPoints) return true;
  if (coefficient_ == kMost && last_.slope < 0) return true;
  (last_.slope < 0 ? low_ : high_) = coefficient_;
  const double following = next();
  if (following == coefficient_) return true;  // no number lies between
  slope_before_ = std::abs(last_.slope);
  coefficient_ = following;
  return false;
}

bool StepSearch::is_close(const LinePoint& point) const {
  const double slope = std::abs(point.slope);
  if (!(curvature_ > 0)) return slope <= 1e-4 * slope_at_zero_;
  return slope <= kTolerance * slope_at_zero_ &&
         slope * (slope / (2 * curvature_)) <= kLossTolerance * point.loss;
}

// Newton's steps converge where each halves the slope, and near the end, where a slope is small and the loss
// is the test.
bool StepSearch::converges() const {
  if (high_ == 0 && num_points_ % kPointsPerLeap == 0) return false;
  const double slope = std::abs(last_.slope);
  return slope < slope_before_ / 2 || slope <= kTolerance * slope_at_zero_;
}

// By Newton's step. Where that leaves what is left between low and high, or does not converge: the middle, or
// twice the last.
double StepSearch::next() const {
  const double newton = last_.coefficient - last_.slope / curvature_;
  const double highest = high_ > 0 ? high_ : std::min(2 * low_, kMost);
  if (converges() && curvature_ > 0 && newton > low_ && newton < highest) return newton;
  return high_ > 0 ? low_ + (high_ - low_) / 2 : highest;
}

}  // namespace mash
