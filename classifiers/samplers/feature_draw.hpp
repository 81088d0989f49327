// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classifiers/samplers/sampler.hpp"
#include "framework/base/random.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The features of one family in random order, one at a time, each once.
class FeatureOrder {
 public:
  // The features [first, first + size).
  FeatureOrder(std::uint32_t first, std::uint32_t size, const RandomStream& stream)
      : first_(first), size_(size), stream_(stream) {}

  std::uint32_t num_left() const { return size_ - num_drawn_; }
  // REQUIRES: some are left.
  std::uint32_t next();
  // The next `count`, or all that are left where there are fewer; increasing.
  std::vector<std::uint32_t> take(std::uint64_t count);

 private:
  std::uint32_t first_, size_, num_drawn_ = 0;
  RandomStream stream_;
  std::unordered_map<std::uint32_t, std::uint32_t> moved_;  // what stands where another stood at first
};

// The random choices of one round about families and features, for one purpose. Each follows from (seed,
// round, purpose, name of the family, index of the feature in it) alone and never from the family's place or
// from what else there is: a family that is added or moved changes no choice among the others (the fairness
// of Dubout 2010, section III.D).
class FeatureDraw {
 public:
  // features: must outlive the draw.
  FeatureDraw(const FeatureSet& features, const Round& round, std::string_view purpose);

  // `count` distinct features, every set as likely as any other; all where there are no more. Increasing.
  // Takes time for the families and the features drawn, not for all there are.
  std::vector<std::uint32_t> from_all(std::uint64_t count) const;
  std::vector<std::uint32_t> from_family(std::uint32_t family, std::uint64_t count) const;
  // counts[k] of each family k.
  std::vector<std::uint32_t> from_families(std::span<const std::uint64_t> counts) const;
  // One feature from each of `count` random families; every family once before any is drawn again, fewer
  // where there are no more features. Increasing.
  std::vector<std::uint32_t> one_of_each(std::uint64_t count) const;

  // All families in random order.
  std::vector<std::uint32_t> families() const;
  FeatureOrder order(std::uint32_t family) const;

  // For ties. step: of several choices among the same families.
  std::uint64_t family_priority(std::uint32_t family, std::uint64_t step = 0) const;
  Priority family_ties(std::uint64_t step = 0) const;
  Priority feature_ties() const;

 private:
  class Race;
  RandomStream stream(std::uint32_t family, std::string_view what) const;

  const FeatureSet& features_;
  std::uint64_t key_;  // of seed, round and purpose
};

}  // namespace mash
