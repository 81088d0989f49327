// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/operations/offers/run_offer.hpp"
#include "framework/operations/offers/seeds.hpp"

namespace mash {

// Age after which files of the cache are removed, counted from their last write.
inline constexpr std::chrono::hours kOfferCacheAge{24 * 60};

// An offer test in progress, look by look.
class OfferCourse {
 public:
  // Offers the families of a newcomer beside those of a pool. The workspace may have more families than
  // these. space, work: outlive it.
  OfferCourse(const Workspace& space, const FamilySubset& pool, const FamilySubset& newcomer,
              const OfferTestSettings& settings, const WorkContext& work, OfferBeginning beginning = {});
  OfferCourse(const OfferCourse&) = delete;
  OfferCourse& operator=(const OfferCourse&) = delete;

  // Plays a seed, unless the cache has it. Errors: of training and the disk; kStopped. [any thread, different
  // seeds]
  Status play(std::uint64_t seed, const WorkContext& work);
  // Seeds this look adds that are missing from the cache, as of the first call; valid until take(look).
  const std::vector<std::uint64_t>& lacking(const Look& look);
  // Takes a look. Seeds of it that were damaged or removed meanwhile are played again. Errors: as play.
  // REQUIRES: the look's seeds were played, and all looks before it were taken.
  Status take(const Look& look);
  // The aim of more seeds: to decide, or also to know a decided gain to within settings.half_width.
  enum class Aim { kDecide, kNarrow };
  // The next look; null after the last one.
  const Look* next() const { return next_look(settings_.looks, test_.losses.num_seeds()); }
  // Whether this is the first look of the test, which is taken in any case.
  bool is_first(const Look& look) const { return look == settings_.looks.front(); }
  // Whether no more seeds are wanted.
  bool is_over(Aim aim = Aim::kDecide) const;
  // The test up to its last look; valid until the next call of another function.
  const OfferTest& so_far();
  // The same, moved out; to be called once.
  OfferTest finish();
  // Removes a part of all seeds from the cache. Errors (kFailure): the disk.
  Status forget(KeptPart part) const;

 private:
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
  std::optional<RivalGains> rivals_;  // where they are looked at
  std::vector<Slice> slices_;
  GroupedGains slice_gains_;
  ExampleChanges examples_;
  double sum_of_base_losses_ = 0;  // before the rounds, of all seeds
  std::size_t num_wrong_ = 0;      // judging examples that the pool alone gets wrong, of all seeds
  OfferTest test_;
  std::size_t num_looked_for_ = 0;  // seeds
  std::size_t num_summed_up_ = 0;   // seeds that the figures of test_ are of
  std::vector<std::uint64_t> lacking_;
};

// Plays, side by side, the seeds that several tests lack for a look. Takes the look of each test whose seeds
// were all begun in time. seconds_left: the time that remains; the first look is taken in any case. Returns
// the number of tests whose look was taken. Errors: as OfferCourse::play.
Result<std::size_t> take_look(std::span<OfferCourse* const> tests, const Look& look, double seconds_left,
                              const WorkContext& work);

}  // namespace mash
