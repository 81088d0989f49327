// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/operations/offers/run_offer.hpp"
#include "framework/operations/offers/seeds.hpp"

namespace mash {

// Losses of one seed on some of the examples that judge.
struct VariantLosses {
  std::vector<double> before;              // of the pool alone
  std::vector<std::vector<double>> after;  // with each of the variants that were asked for
  std::size_t num_wrong = 0;               // of all that judge, by the pool alone
  double placebo_gain = 0;                 // of more candidates of the pool, in per cent, by all that judge
};

// Offers of several variants of a heuristic beside the same pool, one seed after another. All is kept where
// `mash heuristic try` keeps its trainings.
class VariantOffers {
 public:
  // judges: of the settings of the offers. All outlives it. REQUIRES: two variants.
  VariantOffers(const Workspace& space, const FamilySubset& pool, std::span<const FamilyGroup> variants,
                const OfferSettings& rounds, const JudgingExamples& judges);

  // Plays these seeds of these variants, unless they are kept. Those that do not begin within the seconds are
  // left out; returns whether none was. Errors: of training and the disk; kStopped.
  Result<bool> play(std::span<const std::uint64_t> seeds, std::span<const std::size_t> variants,
                    double seconds, const WorkContext& work);

  // Losses of a seed that was played, on these places among the judges; the scale of the scores is that which
  // is best on these. Errors: what was kept was removed meanwhile and cannot be played again.
  Result<VariantLosses> losses(std::uint64_t seed, std::span<const std::size_t> variants,
                               std::span<const std::size_t> places, const WorkContext& work);

  // Offers of a variant in one seed that were played, and all that were asked for.
  std::size_t num_played() const;
  std::size_t num_asked() const { return num_asked_; }

 private:
  // One variant beside the pool.
  struct Offers {
    Offers(const Workspace& space, const FamilySubset& pool, const FamilySubset& variant,
           const VariantOffers& all);

    FeatureSet newcomer, together;
    OfferGround ground;
    OfferSeeds seeds;
  };

  // The pool's part of the seeds, for each number of candidates that a variant has.
  Status play_pools(std::span<const std::uint64_t> seeds, std::span<const std::size_t> variants,
                    double seconds, const WorkContext& work);
  std::vector<double> losses_of(const JudgedScores& scores, std::span<const std::size_t> places) const;

  const Dataset& dataset_;
  const JudgingExamples& judges_;
  OfferSettings rounds_;
  FeatureSet pool_;
  std::vector<std::unique_ptr<Offers>> variants_;
  std::size_t num_asked_ = 0;
};

}  // namespace mash
