// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/online/online_booster.hpp"
#include "classifiers/online/selector_pool.hpp"

namespace mash {

// Online boosting for feature selection (Grabner & Bischof 2006): AdaBoost as Oza & Russell's, in which each
// base learner is a selector. An example comes with the importance of its weight; a selector whose chosen
// stump has the error e passes on lambda/(2(1-e)) or lambda/(2e) (passed_on). Where e is 0 or above 1/2, the
// selectors after it are left as they are for this example. The score is the sum of alpha = 1/2 ln((1-e)/e)
// times the answer of the chosen stump; e is held in [1e-6, 1/2] there, so that no alpha is below 0 or above
// 6.91.
class SelectorBooster final : public OnlineBooster {
 public:
  SelectorBooster(const SelectorSettings& settings, std::uint64_t seed, std::uint32_t num_features);

  std::span<const std::uint32_t> features() const override { return pool_.features(); }
  bool keeps_features() const override { return false; }
  std::span<const std::uint32_t> changed_places() const override { return pool_.changed_places(); }
  void learn(std::span<const float> values, int sign, double weight) override;
  double score(std::span<const float> values) const override;
  std::vector<StumpTerm> terms() const override;
  std::vector<double> state() const override { return pool_.state(); }
  void restore(std::span<const double> numbers) override { pool_.restore(numbers); }

  const SelectorPool& pool() const { return pool_; }

 private:
  double alpha(std::uint32_t selector) const { return log_odds_of_right(pool_.error(selector)) / 2; }

  SelectorPool pool_;
};

// selectors: 250, pool: 50, pools: own|shared
Result<OnlineFactory> make_selectors(Settings& settings);

}  // namespace mash
