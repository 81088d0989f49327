// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "framework/base/elementary.hpp"

namespace mash {

// The weights of the examples that a learner was right and wrong on, which are never forgotten.
struct ErrorSums {
  double right = 0, wrong = 0;

  void add(bool is_right, double weight) { (is_right ? right : wrong) += weight; }
  // In [0, 1]; 1/2 where nothing has been counted.
  double error() const { return right + wrong > 0 ? wrong / (right + wrong) : 0.5; }
};

// Held away from 0 and 1, so that what is computed of it is finite.
inline double held_error(double error) { return std::clamp(error, 1e-6, 1 - 1e-6); }

// The importance of an example for the next learner: lambda/(2(1-e)) where this one was right on it,
// lambda/(2e) where it was wrong; half of all importance falls to either (Oza & Russell 2001, Figure 5).
// REQUIRES: 0 < error < 1.
inline double passed_on(double lambda, double error, bool is_right) {
  return lambda / (2 * (is_right ? 1 - error : error));
}

// ln((1-e)/e) of the held error, and 0 for a learner that is wrong as often as right, or more often.
inline double log_odds_of_right(double error) {
  const double held = held_error(error);
  return std::max(0.0, stable_log((1 - held) / held));
}

}  // namespace mash
