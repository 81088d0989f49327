// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/boosters/example_source.hpp"
#include "classifiers/boosters/scores.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/scan/signed_weights.hpp"
#include "classifiers/weak/weak_learner.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The rounds of the offer test: from a common beginning a pool of families is trained on for a few rounds,
// once alone and once with a newcomer that is offered beside it, as often whatever its size. In each round
// the best of the pool's candidates meets the best of the newcomer's, and the larger edge is taken. Nothing
// else differs: candidates and examples of the pool are drawn by the same random numbers. Discrete
// AdaBoost.MH with stumps, whose candidates Laminating compares.
struct OfferSettings {
  std::uint32_t base_rounds = 300;     // of the beginning, T0
  std::uint32_t rounds = 60;           // after it, R
  double shrinkage = 0.3;              // what coefficients are multiplied by in these
  std::uint32_t num_candidates = 128;  // of the pool in each round, Q
  std::uint32_t num_offered = 32;      // of the newcomer, q; all its features where it has fewer
  double budget = 5;  // feature evaluations a round for each training example: S = budget N / (Q log2 Q)
                      // examples in the first pass
};

// What an offer test works on. All outlives it.
struct OfferGround {
  const Dataset& dataset;
  const FeatureSet& pool;
  const FeatureSet& newcomer;
  const FeatureSet& together;  // the families of the pool, then those of the newcomer
  // Training examples (increasing) that score and do not train; none: all of them train and the test side
  // scores. The examples that score are the judges.
  std::span<const std::uint32_t> held_out;
  OfferSettings settings;
};

// The pool alone for base_rounds rounds.
// Errors: as Booster::train; kStopped.
Result<StrongClassifier> train_base(const OfferGround& ground, std::uint64_t seed, const WorkContext& work);

// What some rounds after the beginning came to.
struct OfferedRounds {
  std::vector<std::uint32_t> won;  // features of what was offered that were taken, in `together`
  std::vector<double> scores;      // judges x K
};

// The rounds after the beginning of one seed.
class OfferRounds {
 public:
  // base: the hypotheses of what train_base gave for the seed. ground, workers: outlive it.
  OfferRounds(const OfferGround& ground, std::uint64_t seed, std::span<const Hypothesis> base,
              const Workers& workers);

  // At the beginning, judges x K.
  std::vector<double> base_scores() const { return judged_scores_; }
  // The pool alone; with the newcomer; and with more candidates of the pool in the newcomer's place, which
  // shows what a choice of more candidates is worth by itself.
  OfferedRounds control() const { return play(Offered::kNothing); }
  OfferedRounds treated() const { return play(Offered::kNewcomer); }
  OfferedRounds placebo() const { return play(Offered::kMoreOfPool); }

  // As many hypotheses more of the pool alone, with their whole coefficients: to fill up a beginning from
  // which some were taken out. Other random numbers than those of the rounds.
  std::vector<Hypothesis> more_of_pool(std::uint32_t count) const;

 private:
  enum class Offered { kNothing, kNewcomer, kMoreOfPool };

  OfferedRounds play(Offered offered) const;
  std::vector<std::uint32_t> pool_candidates(const Round& round) const;
  // Who meets the pool's best; none where the pool has no more features.
  std::vector<std::uint32_t> rivals(Offered offered, const Round& round) const;
  // Adds a hypothesis to the weights and scores, with a part of its coefficient, which it returns.
  double take(const WeakHypothesis& hypothesis, double shrinkage, SignedWeights& weights,
              std::vector<double>& scores) const;

  const OfferGround& ground_;
  std::uint64_t seed_;
  const Workers& workers_;
  SignedWeights weights_;              // at the beginning
  std::vector<double> judged_scores_;  // at the beginning
};

}  // namespace mash
