// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "framework/base/elementary.hpp"

namespace mash {

// The probabilities p_l = e^(F_l) / sum of e^(F_k) of some classes, by their log odds ln(p_l / (1 - p_l)),
// which are precise however small 1 - p_l is. What is kept of each class is e^(F_l), for |F_l| <= 700;
// beyond, as at the border.

// Log odds beyond this are no further from certain.
inline constexpr double kMostLogOdds = 700;

// For each class the sum of the others' e^F. A difference from the sum of all would lose them where one class
// has nearly all. REQUIRES: at least two classes, as many places.
void sums_of_others(std::span<const double> exps, std::span<double> others);
// The same for one class.
inline double sum_of_others(std::span<const double> exps, std::size_t label) {
  double others = 0;
  for (std::size_t l = 0; l < exps.size(); ++l)
    if (l != label) others += exps[l];
  return others;
}

// The log odds of a class with the sum F, from -kMostLogOdds to kMostLogOdds.
inline double log_odds(double sum, double others) {
  return std::clamp(sum - stable_log(others), -kMostLogOdds, kMostLogOdds);
}

// -ln p of a class with these log odds.
inline double loss_of_log_odds(double log_odds) { return stable_log1p_exp(-log_odds); }

}  // namespace mash
