// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/selector_pool.hpp"

#include <algorithm>
#include <array>

#include "framework/base/require.hpp"

namespace mash {

Result<SelectorSettings> read_selector_settings(Settings& settings) {
  constexpr std::array kPools{Choice{"own", false}, Choice{"shared", true}};
  SelectorSettings selectors;
  MASH_ASSIGN(const auto num_selectors, settings.integer("selectors", selectors.num_selectors, 1, 1 << 16));
  MASH_ASSIGN(const auto pool_size, settings.integer("pool", selectors.pool_size, 1, 1 << 16));
  MASH_ASSIGN(selectors.shares_pool, settings.one_of("pools", selectors.shares_pool, kPools));
  constexpr std::int64_t kMostStumps = std::int64_t(1) << 22;  // of one class: some hundred megabytes
  if (num_selectors * pool_size > kMostStumps)
    return input_error(
        "selectors, pool: found {} selectors with {} stumps each, expected at most {} stumps in all",
        num_selectors, pool_size, kMostStumps);
  selectors.num_selectors = std::uint32_t(num_selectors);
  selectors.pool_size = std::uint32_t(pool_size);
  return selectors;
}

SelectorPool::SelectorPool(const SelectorSettings& settings, std::uint64_t seed, std::uint32_t num_features,
                           Keeps keeps)
    : settings_(settings), seed_(seed), num_features_(num_features), chosen_(settings.num_selectors) {
  require(num_features >= 1, "SelectorPool: at least one feature");
  require(settings.num_selectors >= 1 && settings.pool_size >= 1, "SelectorPool: selectors and stumps");
  sums_.resize(std::size_t(settings.num_selectors) * settings.pool_size);
  if (keeps == Keeps::kErrorsAndAnswers) sides_.resize(sums_.size());
  RandomStream draws(seed, "online.pool.first");
  const std::size_t num_stumps = settings.shares_pool ? settings.pool_size : sums_.size();
  for (std::size_t i = 0; i < num_stumps; ++i) {
    features_.push_back(std::uint32_t(draws.below(num_features)));
    stumps_.emplace_back(features_.back());
  }
}

void SelectorPool::begin_example(std::span<const float> values, int sign, double weight) {
  require(values.size() == features_.size(), "as many values as features");
  values_ = values;
  sign_ = sign;
  draws_.emplace(seed_, "online.pool", num_learned_++);
  if (!settings_.shares_pool) return;
  for (std::size_t slot = 0; slot < stumps_.size(); ++slot) teach(slot, weight);
}

void SelectorPool::choose(std::uint32_t selector, double weight) {
  for (std::uint32_t member = 0; member < settings_.pool_size; ++member) {
    if (!settings_.shares_pool) teach(first_slot(selector) + member, weight);
    judge(selector, member, weight);
  }
  std::uint32_t best = 0;
  for (std::uint32_t member = 1; member < settings_.pool_size; ++member)
    if (sums(selector, member).error() < sums(selector, best).error()) best = member;
  chosen_[selector] = best;
  if (!settings_.shares_pool) drop_worst(selector);
}

void SelectorPool::teach(std::size_t slot, double weight) {
  stumps_[slot].learn(values_[slot], sign_, weight);
}

void SelectorPool::judge(std::uint32_t selector, std::uint32_t member, double weight) {
  const std::size_t slot = first_slot(selector) + member,
                    place = std::size_t(selector) * settings_.pool_size + member;
  const FeatureStump& stump = stumps_[slot].now();
  sums_[place].add(stump.answer(values_[slot]) == sign_, weight);
  if (!sides_.empty()) sides_[place].add(stump.holds(values_[slot]), sign_, weight);
}

void SelectorPool::drop_worst(std::uint32_t selector) {
  std::optional<std::uint32_t> worst;
  for (std::uint32_t member = 0; member < settings_.pool_size; ++member)
    if (member != chosen_[selector] &&
        (!worst || sums(selector, member).error() > sums(selector, *worst).error()))
      worst = member;
  if (!worst) return;
  replace_stump(first_slot(selector) + *worst);
  forget(std::size_t(selector) * settings_.pool_size + *worst);
}

void SelectorPool::end_example() {
  if (!settings_.shares_pool) return;
  std::vector<char> is_chosen(settings_.pool_size, 0);
  for (const std::uint32_t member : chosen_) is_chosen[member] = 1;
  std::optional<std::uint32_t> worst;
  double largest = 0;
  for (std::uint32_t member = 0; member < settings_.pool_size; ++member) {
    if (is_chosen[member]) continue;
    double errors = 0;
    for (std::uint32_t selector = 0; selector < num_selectors(); ++selector)
      errors += sums(selector, member).error();
    if (worst && errors <= largest) continue;
    worst = member;
    largest = errors;
  }
  if (!worst) return;
  replace_stump(*worst);
  for (std::size_t place = *worst; place < sums_.size(); place += settings_.pool_size) forget(place);
}

void SelectorPool::replace_stump(std::size_t slot) {
  features_[slot] = std::uint32_t(draws_->below(num_features_));
  stumps_[slot] = OnlineStump(features_[slot]);
}

void SelectorPool::forget(std::size_t place) {
  sums_[place] = {1, 1};
  if (!sides_.empty()) sides_[place] = {};
}

std::vector<double> SelectorPool::state() const {
  std::vector<double> numbers{double(num_learned_)};
  for (const OnlineStump& stump : stumps_) stump.write(numbers);
  for (const ErrorSums& sums : sums_) numbers.insert(numbers.end(), {sums.right, sums.wrong});
  for (const SideMeans& sides : sides_) sides.write(numbers);
  numbers.insert(numbers.end(), chosen_.begin(), chosen_.end());
  return numbers;
}

void SelectorPool::restore(std::span<const double> numbers) {
  StateReader reader(numbers);
  num_learned_ = std::uint64_t(reader.next());
  for (std::size_t slot = 0; slot < stumps_.size(); ++slot) {
    stumps_[slot].read(reader);
    features_[slot] = stumps_[slot].now().feature;
  }
  for (ErrorSums& sums : sums_) {
    sums.right = reader.next();
    sums.wrong = reader.next();
  }
  for (SideMeans& sides : sides_) sides.read(reader);
  for (std::uint32_t& chosen : chosen_) chosen = std::uint32_t(reader.next());
  reader.finish();
}

}  // namespace mash
