// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {

// A binary classifier that looks at one feature: `polarity` where x >= threshold, -polarity elsewhere. NaN is
// below every threshold. The threshold -infinity holds for every x: such a stump answers its polarity always.
struct FeatureStump {
  std::uint32_t feature = 0;
  float threshold = -std::numeric_limits<float>::infinity();
  int polarity = 1;  // in {-1, +1}

  bool holds(float x) const { return Cut{0, 0, threshold}.holds(x); }
  int answer(float x) const { return holds(x) ? polarity : -polarity; }
  bool operator==(const FeatureStump&) const = default;
};

// The share of an example that online learners keep when the next one arrives: 1 - 0.01 of what it was
// (Grabner & Bischof 2006).
inline constexpr double kMemory = 1 - 0.01;

// A stump that learns from one example at a time (Grabner & Bischof 2006): it follows the weighted mean of
// its feature over the examples of either sign. Its threshold is the midpoint of the two means, its polarity
// their order. Two Gaussians with the same spread cross at this threshold, so variances are not kept.
//
// An example counts w * 0.99^a, with a the number of later examples of its sign. One whose value is not
// finite, or whose weight is 0, teaches nothing. A stump that has seen one sign only answers that sign
// always, and one that has seen none answers +1.
class OnlineStump {
 public:
  // Knows nothing yet.
  explicit OnlineStump(std::uint32_t feature) { stump_.feature = start_.feature = feature; }

  // Answers as a stump that was learned offline, and goes on from there. The share of the start is
  // s = 0.99^(number of examples learned): the threshold is s * (that of the start) + (1 - s) * midpoint, and
  // the polarity is that of the start while s > 1/2. A start that always holds has no threshold to go on
  // from: it stays while s > 1/2 and is then left for the midpoint. Until both signs have been seen the start
  // stays as it is. Below 1e-9, s is 0.
  explicit OnlineStump(const FeatureStump& start) : start_(start), stump_(start), start_share_(1) {}

  // REQUIRES: sign in {-1, +1}, weight >= 0.
  void learn(float value, int sign, double weight);

  // The stump that it answers by now.
  const FeatureStump& now() const { return stump_; }
  // Whether it was given a start that is not forgotten, so that it is of use without learning.
  bool has_start() const { return start_share_ > 0; }

  void write(StateWriter& writer) const;
  void read(StateReader& reader);

 private:
  struct Mean {
    double weight = 0, value = 0;
    void add(double x, double w);
  };
  void settle();

  FeatureStump start_, stump_;
  double start_share_ = 0;
  Mean negative_, positive_;
};

}  // namespace mash
