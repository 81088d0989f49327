// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/selectors.hpp"

#include "framework/base/require.hpp"

namespace mash {

SelectorBooster::SelectorBooster(const SelectorSettings& settings, std::uint64_t seed,
                                 std::uint32_t num_features)
    : pool_(settings, seed, num_features, SelectorPool::Keeps::kErrors) {}

void SelectorBooster::learn(std::span<const float> values, int sign, double weight) {
  if (weight == 0) return;
  pool_.begin_example(values, sign, weight);
  double lambda = weight;
  for (std::uint32_t selector = 0; selector < pool_.num_selectors(); ++selector) {
    pool_.choose(selector, lambda);
    const double error = pool_.error(selector);
    if (error == 0 || error > 0.5) break;
    lambda = passed_on(lambda, error, pool_.answer(selector, values) == sign);
  }
  pool_.end_example();
}

double SelectorBooster::score(std::span<const float> values) const {
  require(values.size() == features().size(), "as many values as features");
  double score = 0;
  for (std::uint32_t selector = 0; selector < pool_.num_selectors(); ++selector)
    score += alpha(selector) * pool_.answer(selector, values);
  return score;
}

std::vector<StumpTerm> SelectorBooster::terms() const {
  std::vector<StumpTerm> terms;
  for (std::uint32_t selector = 0; selector < pool_.num_selectors(); ++selector)
    terms.push_back(stump_term(pool_.stump(selector), alpha(selector)));
  return terms;
}

Result<OnlineFactory> make_selectors(Settings& settings) {
  MASH_ASSIGN(const SelectorSettings selectors, read_selector_settings(settings));
  return OnlineFactory([=](const OnlineTask& task) -> Result<std::unique_ptr<OnlineBooster>> {
    if (task.num_features == 0) return input_error("selectors: found no features, expected one at least");
    return std::unique_ptr<OnlineBooster>(
        std::make_unique<SelectorBooster>(selectors, task.seed, task.num_features));
  });
}

}  // namespace mash
