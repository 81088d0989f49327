// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/loss.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace mash {
namespace {

// y f + alpha y h of each pair.
std::vector<double> margins_at(const LinePairs& pairs, double alpha) {
  std::vector<double> margins(pairs.size());
  for (std::size_t i = 0; i < margins.size(); ++i)
    margins[i] = std::copysign(1.0, pairs.initial[i]) * (pairs.scores[i] + alpha * pairs.votes[i]);
  return margins;
}

}  // namespace

LineStart Loss::start_of_line(const LinePairs& pairs) const {
  const std::vector<double> margins = margins_at(pairs, 0);
  std::vector<double> weights(pairs.size()), curvatures(pairs.size());
  this->weights(margins, weights);
  this->curvatures(margins, curvatures);
  LineStart start;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double pull = pairs.initial[i] * pairs.votes[i];
    start.mass += std::abs(pull) * weights[i];
    start.slope -= pull * weights[i];
    start.curvature += std::abs(pairs.initial[i]) * pairs.votes[i] * pairs.votes[i] * curvatures[i];
  }
  start.third = start.fourth = std::numeric_limits<double>::quiet_NaN();
  return start;
}

LinePoint Loss::point_on_line(const LinePairs& pairs, double alpha, std::span<double> weights) const {
  const std::vector<double> margins = margins_at(pairs, alpha);
  std::vector<double> numbers(pairs.size());
  LinePoint point;
  values(margins, numbers);
  for (std::size_t i = 0; i < pairs.size(); ++i) point.loss += std::abs(pairs.initial[i]) * numbers[i];
  this->weights(margins, weights);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    weights[i] *= pairs.initial[i];
    point.mass += std::abs(weights[i]);
    point.slope -= weights[i] * pairs.votes[i];
  }
  return point;
}

}  // namespace mash
