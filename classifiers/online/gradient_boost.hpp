// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/losses/loss.hpp"
#include "classifiers/online/online_booster.hpp"
#include "classifiers/online/selector_pool.hpp"

namespace mash {

// -l'(margin), 1e100 at most, so that sums of such weights stay finite.
double gradient_weight(const Loss& loss, double margin);

// On-line GradientBoost (Leistner, Saffari, Roth & Bischof 2009): selectors as those of Grabner & Bischof,
// with the weights of gradient boosting. An example y enters selector m with the weight -l'(y F_{m-1}(x)),
// where F_m = F_{m-1} + f_m; f_m is the answer of the selector's chosen stump in [-1, 1], the mean sign on
// that side of its threshold with the selector's weights (JudgedColumns). The score is the sum of all f_m.
//
// The weights are those of the Loss classes: e^-m of the exponential loss, 1/(1+e^m) of the logistic loss
// ln(1+e^-m), 4e^2m/(1+e^2m)^3 of the Savage loss 1/(1+e^2m)^2. (The values of the latter two are scaled to
// be 1 at 0 in those classes; their weights are not.)
//
// Errors are compared as shares of the weight that a stump has been tried with, not as the published sums:
// so a stump that has just come to a pool is not the best for having seen little. For stumps of the same age
// the two orders are the same.
class GradientBooster final : public OnlineBooster {
 public:
  // loss: outlives the booster.
  GradientBooster(const SelectorSettings& settings, const Loss& loss, std::uint64_t seed,
                  std::uint32_t num_features);

  std::span<const std::uint32_t> features() const override { return pool_.features(); }
  bool keeps_features() const override { return false; }
  std::span<const std::uint32_t> changed_places() const override { return pool_.changed_places(); }
  void learn(std::span<const float> values, int sign, double weight) override;
  double score(std::span<const float> values) const override;
  std::vector<StumpTerm> terms() const override;
  std::vector<double> state() const override { return pool_.state(); }
  void restore(std::span<const double> numbers) override { pool_.restore(numbers); }

 private:
  const Loss& loss_;
  SelectorPool pool_;
};

// loss: logistic|exponential|savage, selectors: 250, pool: 50, pools: own|shared. The default is the loss
// that did best there, as Lefakis & Fleuret 2013 (section 4) say.
Result<OnlineFactory> make_gradient_boost(Settings& settings);

}  // namespace mash
