// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/analysis/tuning/race.hpp"
#include "framework/operations/offers/run_offer.hpp"
#include "framework/operations/offers/trial.hpp"
#include "framework/reports/heuristic/tuning.hpp"

namespace mash {

// Settings of a comparison of variants. TrySettings::own: none.
struct TuneSettings : TrySettings {
  std::vector<Settings> variants = {};  // parse_variants
  double seconds = 300;                 // of the offers, about
};

// A comparison of variants that is over.
struct TunedOffers {
  RaceStandings standings;
  GainAtLook measured;  // of the best, with fresh seeds on the half of the judges that did not choose it
  std::size_t num_choosing = 0, num_measuring = 0;  // judges
  std::string undone;                               // what the time did not suffice for, in words; or empty
  std::size_t num_played = 0, num_found = 0;
};

// Offers the variants beside the pool. They are compared on one half of the held-out examples by successive
// halving, with the seeds from settings.first_seed on; then the best is measured on the other half with seeds
// from settings.first_seed + kFreshSeeds on. settings.seconds: about two thirds for the comparison; the first
// look of both is taken in any case. settings.most_seeds: of the comparison, and of the measurement too where
// these are fewer than kMeasuringSeeds. Everything is kept beside the feature store, so that the same
// comparison goes on from there. The result has the same bits for any number of threads, where the time
// suffices. Errors: there are too few examples to judge on (kInput); those of training and the disk;
// kStopped. REQUIRES: two variants, a family in the pool.
Result<TunedOffers> tune_offers(const Workspace& space, const FamilySubset& pool,
                                std::span<const FamilyGroup> variants, const OfferTestSettings& settings,
                                const WorkContext& work);

// Finds the heuristic, extracts its variants, and compares them beside the pool of the experiment, in which
// the heuristic itself has no place. Variants that refuse their settings or misbehave are left out. Errors:
// those of open_trial, open_trial_workspace and tune_offers; fewer than two variants have features here, or
// there is no pool (kInput).
Diagnosed<HeuristicTuning> tune_heuristic(const TuneSettings& settings, const WorkContext& work,
                                          const OnFailedChecks& on_failed = ignore_failed_checks);

}  // namespace mash
