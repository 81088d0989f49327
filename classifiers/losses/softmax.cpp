// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/softmax.hpp"

#include <algorithm>

#include "framework/base/elementary.hpp"

namespace mash {
namespace {

double log_odds_of(double sum, double largest, double others) {
  return std::clamp(sum - largest - stable_log(others), -kMostLogOdds, kMostLogOdds);
}

}  // namespace

void softmax_log_odds(std::span<const double> sums, std::span<double> log_odds) {
  const double largest = *std::max_element(sums.begin(), sums.end());
  // The others of each class are added up without it: a difference would lose them where it has nearly all.
  double before = 0, after = 0;
  for (std::size_t l = 0; l < sums.size(); ++l) {
    log_odds[l] = before;
    before += stable_exp(sums[l] - largest);
  }
  for (std::size_t l = sums.size(); l-- > 0;) {
    const double others = log_odds[l] + after;
    after += stable_exp(sums[l] - largest);
    log_odds[l] = log_odds_of(sums[l], largest, others);
  }
}

double softmax_loss(std::span<const double> sums, std::size_t label) {
  const double largest = *std::max_element(sums.begin(), sums.end());
  double others = 0;
  for (std::size_t l = 0; l < sums.size(); ++l)
    if (l != label) others += stable_exp(sums[l] - largest);
  return stable_log1p_exp(-log_odds_of(sums[label], largest, others));
}

}  // namespace mash
