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

// How long its files stay after they were last written.
inline constexpr std::chrono::hours kOfferCacheAge{24 * 60};

// An offer test while it is made, look by look.
class OfferCourse {
 public:
  // The families of a newcomer beside those of a pool, of which the workspace may have more. space, work:
  // outlive it.
  OfferCourse(const Workspace& space, const FamilySubset& pool, const FamilySubset& newcomer,
              const OfferTestSettings& settings, const WorkContext& work, OfferBeginning beginning = {});
  OfferCourse(const OfferCourse&) = delete;
  OfferCourse& operator=(const OfferCourse&) = delete;

  // Makes sure that a seed is kept. Errors: of training and the disk; kStopped. [any thread, different seeds]
  Status play(std::uint64_t seed, const WorkContext& work);
  // Seeds this look adds that are missing from the cache, as of the first call; valid until take(look).
  const std::vector<std::uint64_t>& lacking(const Look& look);
  // Takes a look, which plays what of its seeds was damaged or removed since. Errors: as play. REQUIRES: its
  // seeds were played, and all looks before it were taken.
  Status take(const Look& look);
  // Aim of more seeds: to decide; or to know what is decided within settings.half_width too.
  enum class Aim { kDecide, kNarrow };
  // The look that it would take next; null after the last.
  const Look* next() const { return next_look(test_.losses.num_seeds()); }
  // Whether no more seeds are wanted.
  bool is_over(Aim aim = Aim::kDecide) const;
  // Up to its last look; until the next call of another function.
  const OfferTest& so_far();
  // The same; once.
  OfferTest finish();

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
  std::vector<double> progress_;  // of each seed
  OfferTest test_;
  std::size_t num_looked_for_ = 0;  // seeds
  std::size_t num_summed_up_ = 0;   // seeds that the figures of test_ are of
  std::vector<std::uint64_t> lacking_;
};

// Plays the seeds that a look of several tests lacks, side by side, and takes the look where all of them were
// begun in time. seconds_left: what remains; the first look is taken in any case. Returns the number of tests
// whose look was taken. Errors: as OfferCourse::play.
Result<std::size_t> take_look(std::span<OfferCourse* const> tests, const Look& look, double seconds_left,
                              const WorkContext& work);

}  // namespace mash
