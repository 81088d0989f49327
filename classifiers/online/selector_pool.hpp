// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/online/stump_columns.hpp"
#include "framework/base/random.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Selectors that each choose one stump of a pool, and drop stumps that do badly for stumps on other features
// (Grabner & Bischof 2006).
struct SelectorSettings {
  std::uint32_t num_selectors = 250;
  std::uint32_t pool_size = 50;  // stumps that a selector chooses among
  // False: each selector has a pool of its own, whose stumps learn with the selector's weights, and drops its
  // worst stump after every example. True: all choose from one pool, whose stumps learn once from every
  // example, with the example's own weight, and of which one stump is dropped after every example.
  bool shares_pool = false;
};

// selectors: 250, pool: 50, pools: own|shared. Errors (kInput): out of range; another word.
Result<SelectorSettings> read_selector_settings(Settings& settings);

// The stumps and what each selector knows of those in its pool. For each example:
//   begin_example, then choose for some selectors from the first on, then end_example.
// Random numbers: for each example a stream of its own, so that the state needs no place in one.
class SelectorPool {
 public:
  enum class Keeps {
    kErrors,           // of each stump, with the selector's weights
    kErrorsAndAnswers  // and how sure it may be on each side of its threshold, with the same weights
  };

  // The first stumps are on features drawn uniformly, their sums of errors start at 0.
  // REQUIRES: num_features >= 1, at least one selector and one stump each.
  SelectorPool(const SelectorSettings& settings, std::uint64_t seed, std::uint32_t num_features, Keeps keeps);

  std::uint32_t num_selectors() const { return settings_.num_selectors; }
  // Those of all stumps, one pool after the other.
  std::span<const std::uint32_t> features() const { return features_; }
  // Where the last example has changed them.
  std::span<const std::uint32_t> changed_places() const { return changed_; }

  // values: of features(). They outlive the example.
  void begin_example(std::span<const float> values, int sign, double weight);
  // The selector's stumps learn from the example with this weight, which is then added to what they are right
  // or wrong on; the stump with the smallest error is chosen, the first of equals. A pool of its own then
  // drops the stump with the largest error, the chosen one excepted, for one on a feature drawn uniformly,
  // whose sums are 1 and 1: an error of 1/2 to begin with.
  void choose(std::uint32_t selector, double weight);
  // A shared pool drops the stump with the largest sum of errors over all selectors, those that some selector
  // has chosen excepted.
  void end_example();

  // The chosen stump, its error, and its answer to an example (in [-1,1], of a pool that keeps answers).
  FeatureStump stump(std::uint32_t selector) const {
    const std::size_t slot = slot_of(selector, chosen_[selector]);
    return stumps_.now(column_of(selector, chosen_[selector]), features_[slot]);
  }
  double error(std::uint32_t selector) const { return sums(selector, chosen_[selector]).error(); }
  int answer(std::uint32_t selector, std::span<const float> values) const {
    return stump(selector).answer(values[slot_of(selector, chosen_[selector])]);
  }
  double mean(std::uint32_t selector, bool above) const {
    return judged_.mean(place_of(selector, chosen_[selector]), above);
  }
  double mean(std::uint32_t selector, std::span<const float> values) const {
    return mean(selector, stump(selector).holds(values[slot_of(selector, chosen_[selector])]));
  }

  // A selector's sums of a stump of its pool.
  ErrorSums sums(std::uint32_t selector, std::uint32_t member) const {
    return judged_.sums(place_of(selector, member));
  }

  std::vector<double> state() const;
  void restore(std::span<const double> numbers);

 private:
  // Where a stump that a selector chooses among is in features_, in stumps_ and in judged_.
  std::size_t slot_of(std::uint32_t selector, std::size_t member) const {
    return settings_.shares_pool ? member : std::size_t(selector) * settings_.pool_size + member;
  }
  std::size_t column_of(std::uint32_t selector, std::size_t member) const {
    return settings_.shares_pool ? member : place_of(selector, member);
  }
  std::size_t place_of(std::uint32_t selector, std::size_t member) const { return selector * room_ + member; }
  std::uint32_t num_pools() const { return settings_.shares_pool ? 1 : settings_.num_selectors; }

  void teach(std::uint32_t pool, double weight);
  void drop_worst(std::uint32_t selector);
  void replace_stump(std::uint32_t pool, std::size_t member);
  // Calls the function with the column and the slot of each stump; with each place.
  template <class Function>
  void for_stumps(const Function& function) const;
  template <class Function>
  void for_places(const Function& function) const;

  SelectorSettings settings_;
  std::uint64_t seed_;
  std::uint32_t num_features_;
  std::size_t room_;                     // for the stumps of a pool, in columns
  StumpColumns stumps_;                  // of all pools
  std::vector<std::uint32_t> features_;  // of the stumps
  JudgedColumns judged_;                 // of each selector, those that it chooses among
  std::vector<std::uint32_t> chosen_;    // of each selector, in its pool
  std::uint64_t num_learned_ = 0;
  std::vector<std::uint32_t> changed_;  // places of features_
  // The example that is being learned; and of the stumps of one pool.
  std::span<const float> values_;
  int sign_ = 1;
  std::optional<RandomStream> draws_;
  StumpColumn<float> pool_values_;
  StumpMarks marks_;
  StumpColumn<double> errors_;
};

}  // namespace mash
