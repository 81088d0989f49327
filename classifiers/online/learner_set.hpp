// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "classifiers/online/online_booster.hpp"
#include "classifiers/online/online_stump.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {

// The way a booster uses its base learners.
enum class Learners {
  kFixed,    // nothing: only their coefficients are learned, as in Lefakis & Fleuret 2013, section 4.2
  kUpdated,  // they learn from every example too
};

// Errors (kInput): neither word.
Result<Learners> read_learners(Settings& settings);

// Whether these learners will do. Errors (kInput): there is none; they are fixed, and one has no start.
// REQUIRES: their features are below task.num_features.
Status check_learners(std::string_view booster, Learners learners, const OnlineTask& task);

// The base learners of a booster that has as many as it is given, one feature each.
class LearnerSet {
 public:
  explicit LearnerSet(std::vector<OnlineStump> stumps);

  std::size_t size() const { return stumps_.size(); }
  std::span<const std::uint32_t> features() const { return features_; }
  int answer(std::size_t i, float x) const { return stumps_[i].now().answer(x); }
  void learn(std::size_t i, float x, int sign, double weight) { stumps_[i].learn(x, sign, weight); }

  // The sum of coefficients[i] * the answer of learner i. REQUIRES: as many of all.
  double score(std::span<const float> values, std::span<const double> coefficients) const;
  std::vector<StumpTerm> terms(std::span<const double> coefficients) const;

  void write(StateWriter& writer) const;
  void read(StateReader& reader);

 private:
  std::vector<OnlineStump> stumps_;
  std::vector<std::uint32_t> features_;
};

}  // namespace mash
