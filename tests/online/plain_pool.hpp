// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "classifiers/online/selector_pool.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash::testing {

// How sure a stump may be on either side of its threshold, as JudgedColumns says it.
class SideMeans {
 public:
  void add(bool above, int sign, double weight) {
    for (const bool side : {false, true}) {
      weights_[side] *= kMemory;
      sums_[side] *= kMemory;
    }
    weights_[above] += weight;
    sums_[above] += sign * weight;
  }
  double mean(bool above) const { return weights_[above] > 0 ? sums_[above] / weights_[above] : 0; }
  void write(StateWriter& writer) const { writer.add(weights_[0], weights_[1], sums_[0], sums_[1]); }

 private:
  std::array<double, 2> weights_{}, sums_{};  // [below, above]
};

// The work of a SelectorPool, one stump after the other.
class PlainPool {
 public:
  PlainPool(const SelectorSettings& settings, std::uint64_t seed, std::uint32_t num_features,
            SelectorPool::Keeps keeps)
      : settings_(settings),
        seed_(seed),
        num_features_(num_features),
        keeps_sides_(keeps == SelectorPool::Keeps::kErrorsAndAnswers),
        sums_(std::size_t(settings.num_selectors) * settings.pool_size),
        sides_(sums_.size()),
        chosen_(settings.num_selectors) {
    RandomStream draws(seed, "online.pool.first");
    const std::size_t num_stumps = settings.shares_pool ? settings.pool_size : sums_.size();
    for (std::size_t i = 0; i < num_stumps; ++i)
      stumps_.emplace_back(std::uint32_t(draws.below(num_features)));
  }

  std::vector<std::uint32_t> features() const {
    std::vector<std::uint32_t> features;
    for (const OnlineStump& stump : stumps_) features.push_back(stump.now().feature);
    return features;
  }

  void begin_example(std::span<const float> values, int sign, double weight) {
    values_ = values;
    sign_ = sign;
    draws_.emplace(seed_, "online.pool", num_learned_++);
    if (!settings_.shares_pool) return;
    for (std::size_t slot = 0; slot < stumps_.size(); ++slot) stumps_[slot].learn(values[slot], sign, weight);
  }

  void choose(std::uint32_t selector, double weight) {
    std::uint32_t best = 0;
    for (std::uint32_t member = 0; member < settings_.pool_size; ++member) {
      const std::size_t slot = slot_of(selector, member), place = place_of(selector, member);
      if (!settings_.shares_pool) stumps_[slot].learn(values_[slot], sign_, weight);
      const FeatureStump& stump = stumps_[slot].now();
      sums_[place].add(stump.answer(values_[slot]) == sign_, weight);
      sides_[place].add(stump.holds(values_[slot]), sign_, weight);
      if (error(selector, member) < error(selector, best)) best = member;
    }
    chosen_[selector] = best;
    if (settings_.shares_pool) return;
    std::optional<std::uint32_t> worst;
    for (std::uint32_t member = 0; member < settings_.pool_size; ++member)
      if (member != best && (!worst || error(selector, member) > error(selector, *worst))) worst = member;
    if (!worst) return;
    replace(slot_of(selector, *worst));
    start_again(place_of(selector, *worst));
  }

  void end_example() {
    if (!settings_.shares_pool) return;
    std::optional<std::uint32_t> worst;
    double largest = 0;
    for (std::uint32_t member = 0; member < settings_.pool_size; ++member) {
      if (std::find(chosen_.begin(), chosen_.end(), member) != chosen_.end()) continue;
      double errors = 0;
      for (std::uint32_t selector = 0; selector < settings_.num_selectors; ++selector)
        errors += error(selector, member);
      if (worst && errors <= largest) continue;
      worst = member;
      largest = errors;
    }
    if (!worst) return;
    replace(*worst);
    for (std::size_t place = *worst; place < sums_.size(); place += settings_.pool_size) start_again(place);
  }

  FeatureStump stump(std::uint32_t selector) const {
    return stumps_[slot_of(selector, chosen_[selector])].now();
  }
  double mean(std::uint32_t selector, bool above) const {
    return sides_[place_of(selector, chosen_[selector])].mean(above);
  }

  std::vector<double> state() const {
    StateWriter writer;
    writer.add(num_learned_);
    for (const OnlineStump& stump : stumps_) stump.write(writer);
    for (const ErrorSums& sums : sums_) writer.add(sums.right, sums.wrong);
    if (keeps_sides_)
      for (const SideMeans& sides : sides_) sides.write(writer);
    writer.add_all(chosen_);
    return writer.take();
  }

 private:
  std::size_t place_of(std::uint32_t selector, std::uint32_t member) const {
    return std::size_t(selector) * settings_.pool_size + member;
  }
  std::size_t slot_of(std::uint32_t selector, std::uint32_t member) const {
    return settings_.shares_pool ? member : place_of(selector, member);
  }
  double error(std::uint32_t selector, std::uint32_t member) const {
    return sums_[place_of(selector, member)].error();
  }
  void replace(std::size_t slot) { stumps_[slot] = OnlineStump(std::uint32_t(draws_->below(num_features_))); }
  void start_again(std::size_t place) {
    sums_[place] = {1, 1};
    sides_[place] = {};
  }

  SelectorSettings settings_;
  std::uint64_t seed_;
  std::uint32_t num_features_;
  bool keeps_sides_;
  std::vector<OnlineStump> stumps_;
  std::vector<ErrorSums> sums_;
  std::vector<SideMeans> sides_;
  std::vector<std::uint32_t> chosen_;
  std::uint64_t num_learned_ = 0;
  std::span<const float> values_;
  int sign_ = 1;
  std::optional<RandomStream> draws_;
};

}  // namespace mash::testing
