// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/exponential.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/elementary.hpp"

namespace mash {

ExponentialStep exponential_step(double edge, std::size_t num_examples) {
  const double delta = 0.01 / double(num_examples);
  const double wrong = std::max(0.0, (1 - edge) / 2);
  ExponentialStep step;
  const double odds = wrong >= delta ? (1 - wrong) / wrong : (1 - delta) / delta;
  step.alpha = 0.5 * stable_log(odds);
  step.exp_alpha = std::sqrt(odds);
  step.normaliser =
      wrong >= delta ? std::sqrt(1 - edge * edge) : (1 - wrong) / step.exp_alpha + wrong * step.exp_alpha;
  return step;
}

}  // namespace mash
