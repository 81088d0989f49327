// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/offers/rounds.hpp"
#include "framework/analysis/example_changes.hpp"
#include "framework/analysis/gain_parts.hpp"
#include "framework/analysis/looks.hpp"
#include "framework/analysis/offer_verdict.hpp"
#include "framework/analysis/paired_losses.hpp"
#include "framework/analysis/rival_gains.hpp"
#include "framework/analysis/slices.hpp"
#include "framework/operations/offers/cache.hpp"
#include "framework/operations/training/contribution_runs.hpp"
#include "framework/operations/training/judges.hpp"
#include "framework/operations/training/workspace.hpp"

namespace mash {

struct OfferTest;

// Seeds that all members of a pool have where they are measured to be ranked.
inline constexpr std::size_t kRankedSeeds = 16;

// The most seeds of a test, and of one that goes on until its interval is as narrow as is wished, where
// nobody says how many.
inline constexpr std::uint32_t kUsualSeeds = 64, kSeedsForPrecision = 128;

// Settings of an offer test: its time, its judges, and the callbacks that hear of each look.
struct OfferTestSettings {
  OfferSettings rounds = {};
  std::uint64_t first_seed = 1;
  std::vector<Look> looks = {kLooks.begin(), kLooks.end()};  // at least one
  std::size_t most_seeds = kUsualSeeds;                      // REQUIRES: those of the first look, at least
  double seconds = 60;                                       // the first look is taken in any case
  Judges judges = Judges::kHeldOut;
  double relevant = 1;  // per cent of the log-loss; a gain that is surely smaller counts as none
  // Half the width of an interval that is narrow enough. It applies to heuristics that add nothing and, in a
  // pool, to all decided ones.
  double half_width = .5;
  // Where it is set, the test goes on until half the interval is at most this, no matter what it says.
  std::optional<double> precision = {};
  // In a pool: all members have the same seeds up to kRankedSeeds, no matter what they say; then those whose
  // ranks are least certain have more. Nothing else ends them.
  bool is_for_ranks = false;
  bool in_detail =
      false;  // whether pairs of classes and slices are looked at. REQUIRES: a data set of images
  std::function<void(const Look&)> on_play = {};       // the seeds of a look are about to be played
  std::function<void(const OfferTest&)> on_look = {};  // after each look, what is known by then
  // Called for each seed in order, with the losses of the judging examples with the newcomer.
  std::function<void(std::span<const double> losses)> on_seed = {};
};

// An offer test up to its last look.
struct OfferTest {
  OfferSettings rounds;
  std::vector<GainAtLook> looks;        // in per cent of the log-loss
  std::vector<GainSums> sums;           // at each look, for rankings
  PairedLosses losses;                  // before: the pool alone; after: with the newcomer
  std::vector<GainPart> classes;        // where the gain comes from; the parts of each kind add up to it
  std::vector<RivalGain> rivals;        // none where they are not looked at
  std::vector<SliceGain> slices;        // of each trait; the same
  std::vector<ExampleChange> examples;  // of those that it was judged on
  std::vector<double> placebo_gains;    // of each seed
  double progress = 0;                  // of the pool alone in the same rounds, by the mean losses
  double pool_wrong = 0;                // judging examples that the pool alone gets wrong, mean over seeds
  std::vector<std::uint32_t> wins;      // of each feature of the newcomer, rounds that took it
  std::uint64_t num_wins = 0, num_duels = 0;
  double single_error = 1;              // of the newcomer's best_single_feature
  std::vector<std::uint32_t> held_out;  // training examples that it was judged on; none: the test side
  std::vector<std::uint16_t> labels;    // of the examples that it was judged on
  double seconds = 0;
  std::size_t num_played = 0, num_found = 0;  // seeds: now, and kept from before

  // The share of the examples that more than half of the seeds get wrong. predicted:
  // &ExampleChange::predicted_before or predicted_after.
  double share_of_mistakes(std::uint16_t ExampleChange::*predicted) const;
};

// The error (kInput) where all families of the workspace belong to the newcomer.
Error no_pool_error(const FamilyGroup& newcomer);

// Offers the families of a group beside all others of the workspace, until the gain is decided or the seeds
// or the time are used up. All trainings are kept beside the feature store: the same test goes on from there,
// and newcomers to the same pool share its part. The result has the same bits for any number of threads.
// Errors: the group has no features, there is no other family, or there are too few examples to judge on
// (kInput); those of training and the disk; kStopped, where finished trainings stay kept.
Result<OfferTest> run_offer_test(const Workspace& space, const FamilyGroup& newcomer,
                                 const OfferTestSettings& settings, const WorkContext& work);

// Removes what such tests have kept of this part of their seeds. A test that runs meanwhile plays these seeds
// again. Errors (kFailure): the disk.
Status forget_offer_test(const Workspace& space, const FamilyGroup& newcomer,
                         const OfferTestSettings& settings, KeptPart part, const WorkContext& work);

// Figures from which the verdict follows, except nearest_cka. space: that of the test.
OfferFigures figures_of(const Workspace& space, const FamilyGroup& newcomer, const OfferTest& test,
                        double relevant);

}  // namespace mash
