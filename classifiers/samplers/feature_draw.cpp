// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/feature_draw.hpp"

#include <algorithm>
#include <queue>

#include "framework/base/elementary.hpp"
#include "framework/base/hash.hpp"

namespace mash {

std::uint32_t FeatureOrder::next() {
  // Fisher and Yates' shuffle, of which only the places that it touched are kept.
  const auto standing_at = [this](std::uint32_t place) {
    const auto found = moved_.find(place);
    return found == moved_.end() ? place : found->second;
  };
  const auto place = num_drawn_ + std::uint32_t(stream_.below(num_left()));
  const std::uint32_t drawn = standing_at(place);
  if (place != num_drawn_) moved_[place] = standing_at(num_drawn_);
  ++num_drawn_;
  return first_ + drawn;
}

std::vector<std::uint32_t> FeatureOrder::take(std::uint64_t count) {
  std::vector<std::uint32_t> taken(std::min<std::uint64_t>(count, num_left()));
  for (std::uint32_t& feature : taken) feature = next();
  std::sort(taken.begin(), taken.end());
  return taken;
}

// Features in the order in which their turn comes, where the waiting times of a family are its own: those of
// independent exponential clocks, one for each family or one for each of its features. The next of n clocks
// rings after Exp(1) / n, so that only those that have rung are looked at (Renyi 1953).
class FeatureDraw::Race {
 public:
  enum class Clock { kFamily, kFeature };

  Race(const FeatureDraw& draw, Clock clock) : draw_(draw), clock_(clock) {
    for (std::uint32_t k = 0; k < draw.features_.num_families(); ++k) {
      times_.push_back(draw.stream(k, "times"));
      orders_.push_back(draw.order(k));
      wait(k, 0);
    }
  }

  // REQUIRES: some feature is left.
  std::uint32_t next() {
    while (orders_[turns_.top().family].num_left() == 0) turns_.pop();
    const Turn turn = turns_.top();
    turns_.pop();
    const std::uint32_t feature = orders_[turn.family].next();
    wait(turn.family, turn.time);
    return feature;
  }

  // The next feature of a family whose turn it is not.
  std::uint32_t next_of(std::uint32_t family) { return orders_[family].next(); }

 private:
  struct Turn {
    double time;
    std::uint64_t key;
    std::uint32_t family;
    bool operator<(const Turn& other) const {  // of a queue whose top is its largest
      return time != other.time ? time > other.time : key > other.key;
    }
  };

  void wait(std::uint32_t family, double now) {
    const std::uint32_t num_left = orders_[family].num_left();
    if (num_left == 0) return;
    const double clocks = clock_ == Clock::kFeature ? num_left : 1;
    const double gap = -stable_log(1 - times_[family].uniform()) / clocks;
    turns_.push({now + gap, draw_.features_.family_key(family), family});
  }

  const FeatureDraw& draw_;
  Clock clock_;
  std::vector<RandomStream> times_;
  std::vector<FeatureOrder> orders_;
  std::priority_queue<Turn> turns_;
};

FeatureDraw::FeatureDraw(const FeatureSet& features, const Round& round, std::string_view purpose)
    : features_(features), key_(keyed_hash(keyed_hash(round.seed, purpose), round.number)) {}

RandomStream FeatureDraw::stream(std::uint32_t family, std::string_view what) const {
  return RandomStream(keyed_hash(key_, features_.family_key(family)), what);
}

FeatureOrder FeatureDraw::order(std::uint32_t family) const {
  return {features_.first_feature(family), features_.family_size(family), stream(family, "features")};
}

std::vector<std::uint32_t> FeatureDraw::from_all(std::uint64_t count) const {
  if (count >= features_.num_features()) return feature_range(0, std::uint32_t(features_.num_features()));
  Race race(*this, Race::Clock::kFeature);
  std::vector<std::uint32_t> drawn(count);
  for (std::uint32_t& feature : drawn) feature = race.next();
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

std::vector<std::uint32_t> FeatureDraw::from_family(std::uint32_t family, std::uint64_t count) const {
  const std::uint32_t first = features_.first_feature(family), size = features_.family_size(family);
  return count >= size ? feature_range(first, first + size) : order(family).take(count);
}

std::vector<std::uint32_t> FeatureDraw::from_families(std::span<const std::uint64_t> counts) const {
  std::vector<std::uint32_t> drawn;
  for (std::uint32_t k = 0; k < features_.num_families(); ++k) {
    if (counts[k] == 0) continue;
    const auto of_family = from_family(k, counts[k]);
    drawn.insert(drawn.end(), of_family.begin(), of_family.end());
  }
  return drawn;
}

std::vector<std::uint32_t> FeatureDraw::one_of_each(std::uint64_t count) const {
  count = std::min<std::uint64_t>(count, features_.num_features());
  Race race(*this, Race::Clock::kFamily);
  std::vector<std::uint32_t> drawn;
  for (const std::uint32_t family : families())
    if (drawn.size() < count) drawn.push_back(race.next_of(family));
  while (drawn.size() < count) drawn.push_back(race.next());
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

std::vector<std::uint32_t> FeatureDraw::families() const {
  const std::vector<double> equal(features_.num_families());
  return largest(equal, equal.size(), family_ties());
}

std::uint64_t FeatureDraw::family_priority(std::uint32_t family, std::uint64_t step) const {
  return keyed_hash(keyed_hash(key_, step), features_.family_key(family));
}

Priority FeatureDraw::family_ties(std::uint64_t step) const {
  return [draw = *this, step](std::uint32_t family) { return draw.family_priority(family, step); };
}

Priority FeatureDraw::feature_ties() const {
  return [draw = *this](std::uint32_t feature) {
    const std::uint32_t family = draw.features_.family_of(feature);
    return keyed_hash(keyed_hash(draw.key_, draw.features_.family_key(family)),
                      std::uint64_t(feature - draw.features_.first_feature(family)));
  };
}

}  // namespace mash
