// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace mash {
namespace {

constexpr double kMaxAlpha = 10;
constexpr int kMaxSteps = 50;
constexpr double kRelativeTolerance = 1e-4;  // of the slope at 0: late in training all slopes are small

}  // namespace

double line_search(const std::function<Slope(double)>& slope, double tolerance) {
  const double at_zero = slope(0).first;
  if (at_zero >= 0) return 0;
  tolerance = std::min(tolerance, -at_zero * kRelativeTolerance);
  double low = 0, high = 1;
  while (high < kMaxAlpha && slope(high).first < 0) {
    low = high;
    high = std::min(2 * high, kMaxAlpha);
  }
  if (slope(high).first < 0) return kMaxAlpha;
  double alpha = low;
  for (int step = 0; step < kMaxSteps; ++step) {
    const Slope here = slope(alpha);
    if (std::abs(here.first) <= tolerance) break;
    (here.first < 0 ? low : high) = alpha;
    const double newton = here.second > 0 ? alpha - here.first / here.second : low - 1;
    alpha = newton > low && newton < high ? newton : (low + high) / 2;
  }
  return alpha;
}

}  // namespace mash
