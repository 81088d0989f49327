// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/gradient_boost.hpp"

#include <algorithm>
#include <array>

#include "classifiers/losses/exponential.hpp"
#include "classifiers/losses/logistic.hpp"
#include "classifiers/losses/savage.hpp"
#include "framework/base/require.hpp"

namespace mash {

double gradient_weight(const Loss& loss, double margin) {
  double weight = 0;
  loss.weights({&margin, 1}, {&weight, 1});
  return std::min(weight, 1e100);
}

GradientBooster::GradientBooster(const SelectorSettings& settings, const Loss& loss, std::uint64_t seed,
                                 std::uint32_t num_features)
    : loss_(loss), pool_(settings, seed, num_features, SelectorPool::Keeps::kErrorsAndAnswers) {}

void GradientBooster::learn(std::span<const float> values, int sign, double weight) {
  if (weight == 0) return;
  pool_.begin_example(values, sign, weight);
  double score = 0;
  for (std::uint32_t selector = 0; selector < pool_.num_selectors(); ++selector) {
    pool_.choose(selector, weight * gradient_weight(loss_, sign * score));
    score += pool_.mean(selector, values);
  }
  pool_.end_example();
}

double GradientBooster::score(std::span<const float> values) const {
  require(values.size() == features().size(), "as many values as features");
  double score = 0;
  for (std::uint32_t selector = 0; selector < pool_.num_selectors(); ++selector)
    score += pool_.mean(selector, values);
  return score;
}

std::vector<StumpTerm> GradientBooster::terms() const {
  std::vector<StumpTerm> terms;
  for (std::uint32_t selector = 0; selector < pool_.num_selectors(); ++selector) {
    const FeatureStump& stump = pool_.stump(selector);
    terms.push_back(
        {stump.feature, stump.threshold, pool_.mean(selector, false), pool_.mean(selector, true)});
  }
  return terms;
}

Result<OnlineFactory> make_gradient_boost(Settings& settings) {
  const std::array losses{Choice{"logistic", &logistic_loss()}, Choice{"exponential", &exponential_loss()},
                          Choice{"savage", &savage_loss()}};
  MASH_ASSIGN(const Loss* loss, settings.one_of("loss", &logistic_loss(), losses));
  MASH_ASSIGN(const SelectorSettings selectors, read_selector_settings(settings));
  return OnlineFactory([=](const OnlineTask& task) -> Result<std::unique_ptr<OnlineBooster>> {
    if (task.num_features == 0)
      return input_error("online-gradientboost: found no features, expected one at least");
    return std::unique_ptr<OnlineBooster>(
        std::make_unique<GradientBooster>(selectors, *loss, task.seed, task.num_features));
  });
}

}  // namespace mash
