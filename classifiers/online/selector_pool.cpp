// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/selector_pool.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "framework/base/require.hpp"

namespace mash {

Result<SelectorSettings> read_selector_settings(Settings& settings) {
  constexpr std::array kPools{Choice{"own", false}, Choice{"shared", true}};
  SelectorSettings selectors;
  MASH_ASSIGN(const auto num_selectors, settings.integer("selectors", selectors.num_selectors, 1, 1 << 16));
  MASH_ASSIGN(const auto pool_size, settings.integer("pool", selectors.pool_size, 1, 1 << 16));
  MASH_ASSIGN(selectors.shares_pool, settings.one_of("pools", selectors.shares_pool, kPools));
  constexpr std::int64_t kMostStumps = std::int64_t(1) << 22;  // of one class: some hundred megabytes
  if (num_selectors * pool_size > kMostStumps) {
    const char* key = settings.has("pool") ? "pool" : "selectors";
    MASH_TRY(settings.refuse(
        input_error("{}: {}: found {} selectors with {} stumps each, expected at most {} stumps in all",
                    settings.where(key), key, num_selectors, pool_size, kMostStumps)));
  }
  selectors.num_selectors = std::uint32_t(num_selectors);
  selectors.pool_size = std::uint32_t(pool_size);
  return selectors;
}

SelectorPool::SelectorPool(const SelectorSettings& settings, std::uint64_t seed, std::uint32_t num_features,
                           Keeps keeps)
    : settings_(settings),
      seed_(seed),
      num_features_(num_features),
      room_(whole_blocks(settings.pool_size)),
      stumps_(num_pools() * room_),
      judged_(settings.num_selectors * room_, keeps == Keeps::kErrorsAndAnswers),
      chosen_(settings.num_selectors),
      pool_values_(room_),
      marks_(room_),
      errors_(room_) {
  require(num_features >= 1, "SelectorPool: at least one feature");
  require(settings.num_selectors >= 1 && settings.pool_size >= 1, "SelectorPool: selectors and stumps");
  RandomStream draws(seed, "online.pool.first");
  features_.resize(std::size_t(num_pools()) * settings.pool_size);
  for (std::uint32_t& feature : features_) feature = std::uint32_t(draws.below(num_features));
}

void SelectorPool::begin_example(std::span<const float> values, int sign, double weight) {
  require(values.size() == features_.size(), "as many values as features");
  values_ = values;
  sign_ = sign;
  draws_.emplace(seed_, "online.pool", num_learned_++);
  changed_.clear();
  if (settings_.shares_pool) teach(0, weight);
}

void SelectorPool::choose(std::uint32_t selector, double weight) {
  if (!settings_.shares_pool) teach(selector, weight);
  judged_.judge(place_of(selector, 0), marks_, {sign_, weight}, errors_);
  std::fill(errors_.begin() + settings_.pool_size, errors_.end(), 2);  // above every error
  chosen_[selector] = std::uint32_t(place_of_smallest(errors_));
  if (!settings_.shares_pool) drop_worst(selector);
}

void SelectorPool::teach(std::uint32_t pool, double weight) {
  std::copy_n(values_.begin() + std::ptrdiff_t(slot_of(pool, 0)), settings_.pool_size, pool_values_.begin());
  stumps_.teach(column_of(pool, 0), pool_values_, {sign_, weight}, marks_);
}

// errors_ are those of the selector.
void SelectorPool::drop_worst(std::uint32_t selector) {
  if (settings_.pool_size == 1) return;
  std::fill(errors_.begin() + settings_.pool_size, errors_.end(), -1);  // below every error
  errors_[chosen_[selector]] = -1;
  const std::size_t worst = place_of_largest(errors_);
  replace_stump(selector, worst);
  judged_.start_again(place_of(selector, worst));
}

void SelectorPool::end_example() {
  if (!settings_.shares_pool) return;
  StumpColumn<double> sums(room_);
  for (std::uint32_t selector = 0; selector < num_selectors(); ++selector) {
    judged_.errors(place_of(selector, 0), errors_);
    std::transform(sums.begin(), sums.end(), errors_.begin(), sums.begin(), std::plus<>());
  }
  std::fill(sums.begin() + settings_.pool_size, sums.end(), -1);
  for (const std::uint32_t member : chosen_) sums[member] = -1;
  const std::size_t worst = place_of_largest(sums);
  if (sums[worst] < 0) return;
  replace_stump(0, worst);
  for (std::uint32_t selector = 0; selector < num_selectors(); ++selector)
    judged_.start_again(place_of(selector, worst));
}

void SelectorPool::replace_stump(std::uint32_t pool, std::size_t member) {
  const std::size_t slot = slot_of(pool, member);
  features_[slot] = std::uint32_t(draws_->below(num_features_));
  changed_.push_back(std::uint32_t(slot));
  stumps_.forget(column_of(pool, member));
}

template <class Function>
void SelectorPool::for_stumps(const Function& function) const {
  for (std::uint32_t pool = 0; pool < num_pools(); ++pool)
    for (std::uint32_t member = 0; member < settings_.pool_size; ++member)
      function(column_of(pool, member), slot_of(pool, member));
}

template <class Function>
void SelectorPool::for_places(const Function& function) const {
  for (std::uint32_t selector = 0; selector < num_selectors(); ++selector)
    for (std::uint32_t member = 0; member < settings_.pool_size; ++member)
      function(place_of(selector, member));
}

std::vector<double> SelectorPool::state() const {
  StateWriter writer;
  writer.add(num_learned_);
  for_stumps([&](std::size_t column, std::size_t slot) { stumps_.write(column, features_[slot], writer); });
  for_places([&](std::size_t place) { judged_.write_sums(place, writer); });
  if (judged_.keeps_sides()) for_places([&](std::size_t place) { judged_.write_sides(place, writer); });
  writer.add_all(chosen_);
  return writer.take();
}

void SelectorPool::restore(std::span<const double> numbers) {
  StateReader reader(numbers);
  num_learned_ = reader.next<std::uint64_t>();
  for_stumps([&](std::size_t column, std::size_t slot) { features_[slot] = stumps_.read(column, reader); });
  for_places([&](std::size_t place) { judged_.read_sums(place, reader); });
  if (judged_.keeps_sides()) for_places([&](std::size_t place) { judged_.read_sides(place, reader); });
  for (std::uint32_t& chosen : chosen_) chosen = reader.next<std::uint32_t>();
  reader.finish();
}

}  // namespace mash
