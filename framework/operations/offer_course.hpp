// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/operations/offer_seeds.hpp"
#include "framework/operations/offer_test.hpp"

namespace mash {

// How long its files stay after they were last used.
inline constexpr std::chrono::hours kOfferCacheAge{24 * 60};

// An offer test while it is made, look by look.
class OfferCourse {
 public:
  // The families of a group beside all others of the workspace. space, work: outlive it.
  OfferCourse(const Workspace& space, const FamilyGroup& newcomer, const OfferTestSettings& settings,
              const WorkContext& work, OfferBeginning beginning = {});
  OfferCourse(const OfferCourse&) = delete;
  OfferCourse& operator=(const OfferCourse&) = delete;

  // Plays what the look lacks and takes it; nothing where the time is out before that: the first look has
  // time. Errors: of training and the disk; kStopped. REQUIRES: all looks before it were taken.
  Result<std::optional<GainAtLook>> take(const Look& look);
  // Whether no more seeds are wanted.
  bool is_over() const;
  double seconds() const { return watch_.seconds(); }
  // Up to its last look; until the next call of another function.
  const OfferTest& so_far();
  // The same; once.
  OfferTest finish();

 private:
  Result<bool> play_until(const Look& look);
  Status add(std::uint64_t seed);

  Stopwatch watch_;
  const Dataset& dataset_;
  FeatureSet pool_, newcomer_, together_;
  JudgingExamples judges_;
  OfferGround ground_;
  OfferTestSettings settings_;
  WorkContext work_;
  OfferSeeds seeds_;
  GroupedGains classes_;
  RivalGains rivals_;
  std::vector<Slice> slices_;
  GroupedGains slice_gains_;
  ExampleChanges examples_;
  std::vector<double> progress_;  // of each seed
  OfferTest test_;
};

}  // namespace mash
