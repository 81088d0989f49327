// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "classifiers/online/stump_term.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// A binary booster that sees one example at a time and keeps none. For each example:
//   1. features() says which features it wants to know of the example;
//   2. score(values), as often as one likes;
//   3. learn(values, sign, weight), after which features() may say something else.
// values: one for each of features(), in the same order. It may be used by one thread at a time.
class OnlineBooster {
 public:
  virtual ~OnlineBooster() = default;

  // May name a feature several times. The list is valid until learn or restore is called; its length never
  // changes.
  virtual std::span<const std::uint32_t> features() const = 0;
  // Whether features() never changes.
  virtual bool keeps_features() const = 0;
  // The places of features() that the last learn may have changed, so that nobody need compare them all.
  // Valid as features() is; what it says after restore, or after an example of weight 0, is not defined.
  virtual std::span<const std::uint32_t> changed_places() const = 0;

  // sign: in {-1, +1}. weight: of the example, finite and >= 0; one of weight 0 is passed over.
  // REQUIRES: as many values as features.
  virtual void learn(std::span<const float> values, int sign, double weight) = 0;
  // Positive for +1, negative for -1. REQUIRES: as many values as features.
  virtual double score(std::span<const float> values) const = 0;

  // The model: score(x) is the sum of these terms, up to rounding.
  virtual std::vector<StumpTerm> terms() const = 0;

  // All that it has learned. A booster of the same factory and task that is given these numbers goes on with
  // the same bits. REQUIRES (restore): numbers of such a booster's state().
  virtual std::vector<double> state() const = 0;
  virtual void restore(std::span<const double> numbers) = 0;
};

// The task of a booster: one binary problem.
struct OnlineTask {
  std::uint64_t seed = 0;  // of the problem: each class of several wants one of its own
  std::uint32_t num_features = 0;
  // For boosters with a set of base learners of their own, as many as they shall have: stumps that know
  // nothing, or that were learned offline from some examples (Lefakis & Fleuret 2013, section 4.2, whose
  // boosters have 250 stumps of LogitBoost, because randomly drawn ones did badly).
  std::vector<OnlineStump> learners = {};
};

// A booster with its settings: makes one for each task. Any number of threads may call it at once.
// Errors (kInput): no features; learners that do not fit.
using OnlineFactory = std::function<Result<std::unique_ptr<OnlineBooster>>(const OnlineTask& task)>;

// A row of the table of online boosters.
struct OnlineRow {
  std::string_view name;
  Result<OnlineFactory> (*make)(Settings& settings);  // reads its keys; the caller refuses the rest
  bool wants_learners = false;                        // whether a task must have learners
};

}  // namespace mash
