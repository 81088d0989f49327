// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/exponential.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

class Exponential final : public Loss {
 public:
  void values(std::span<const double> margins, std::span<double> values) const override {
    map_margins(margins, values, [](double m) { return stable_exp(-m); });
  }
  void weights(std::span<const double> margins, std::span<double> weights) const override {
    values(margins, weights);
  }
  void curvatures(std::span<const double> margins, std::span<double> curvatures) const override {
    values(margins, curvatures);
  }

  bool has_closed_step() const override { return true; }
  ClosedStep closed_step(double edge, std::size_t num_examples) const override {
    require(edge >= 0, "edge >= 0");
    require(num_examples > 0, "num_examples > 0");
    const double delta = 0.01 / double(num_examples);
    const double wrong = std::max(0.0, (1 - edge) / 2);
    const double odds = wrong >= delta ? (1 - wrong) / wrong : (1 - delta) / delta;
    const double exp_alpha = std::sqrt(odds);
    ClosedStep step;
    step.alpha = 0.5 * stable_log(odds);
    step.loss_factor =
        wrong >= delta ? std::sqrt(1 - edge * edge) : (1 - wrong) / exp_alpha + wrong * exp_alpha;
    step.right = 1 / exp_alpha / step.loss_factor;
    step.wrong = exp_alpha / step.loss_factor;
    return step;
  }
};

}  // namespace

const Loss& exponential_loss() {
  static const Exponential loss;
  return loss;
}

}  // namespace mash
