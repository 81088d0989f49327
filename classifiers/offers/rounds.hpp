// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/boosters/loop/scores.hpp"
#include "classifiers/boosters/loop/training_side.hpp"
#include "classifiers/boosters/whole_side/step_rule.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/scan/signed_weights.hpp"
#include "classifiers/weak/weak_learner.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The rounds of the offer test: from a common beginning a pool of families is trained on for a few rounds,
// once alone, once with a newcomer. The newcomer gets the same number of offers however many features it has.
// In each round the best of the pool's candidates meets the best of the newcomer's, and the larger edge is
// taken. Nothing else differs: candidates and examples of the pool are drawn by the same random numbers.
// Those of the newcomer know its features by their numbers alone: the same features under another name get
// the same draws, and newcomers of one size are compared on common ones. Discrete AdaBoost.MH with stumps,
// whose candidates Laminating compares.
struct OfferSettings {
  std::uint32_t base_rounds = 300;     // of the beginning, T0
  std::uint32_t rounds = 60;           // after it, R
  double shrinkage = 0.3;              // what coefficients are multiplied by in these
  std::uint32_t num_candidates = 128;  // of the pool in each round, Q
  std::uint32_t num_offered = 32;      // of the newcomer, q; all its features where it has fewer
  double budget = 5;  // feature evaluations a round for each training example: S = budget N / (Q log2 Q)
                      // examples in the first pass
  // The number of features of each heuristic where the newcomer is several, in their order; they have
  // num_offered each, those that they have when they are offered alone. Nothing: it is one.
  std::vector<std::uint32_t> members = {};
};

// The features that are offered in each round of a newcomer with this number of features.
std::uint64_t num_offered(const OfferSettings& settings, std::uint64_t num_features);

// Data of an offer test. All outlives it.
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
// Errors: as Learner::train; kStopped.
Result<StrongClassifier> train_base(const OfferGround& ground, std::uint64_t seed, const WorkContext& work);

// The offer beside the pool in the rounds after the beginning: nothing, the control; the newcomer; or more
// candidates of the pool in the newcomer's place, the placebo, which shows what a choice of more candidates
// is worth by itself.
enum class Offered { kNothing, kNewcomer, kMoreOfPool };

// The results of these rounds.
struct OfferedRounds {
  std::vector<std::uint32_t> won;  // features of what was offered that were taken, in `together`
  std::vector<double> scores;      // judges x K

  bool operator==(const OfferedRounds&) const = default;
};

// The rounds after the beginning of one seed.
class OfferRounds {
 public:
  // base: the hypotheses of what train_base gave for the seed. ground, workers: outlive it.
  OfferRounds(const OfferGround& ground, std::uint64_t seed, std::span<const Hypothesis> base,
              const Workers& workers);

  // Fills up a beginning from which some were taken out by as many hypotheses of the pool alone, with their
  // whole coefficients, and returns them. Other random numbers than those of the rounds.
  std::vector<Hypothesis> fill_up(std::uint32_t count);

  // Scores of the judges at the beginning, judges x K.
  std::span<const double> base_scores() const { return judged_scores_; }

  // The rounds with each of these. Together they take less time, and give the same bits, as one by one: until
  // the first rival wins a duel they are the same rounds, and then their candidates of the pool are.
  std::vector<OfferedRounds> play(std::span<const Offered> offered) const;

 private:
  struct Course;
  using Candidates = std::span<const std::uint32_t>;

  // Adds hypotheses to the beginning.
  void add(std::span<const Hypothesis> hypotheses);
  std::vector<std::uint32_t> pool_candidates(const Round& round) const;
  // Rivals of the pool's best; none where the pool has no more features.
  std::vector<std::uint32_t> rivals(Offered offered, const Round& round, Candidates of_pool) const;
  // One round of a course; those offers whose rivals win go on by the courses that it returns.
  std::vector<std::unique_ptr<Course>> go_on(Course& course, const Round& round, Candidates of_pool) const;
  // Adds a hypothesis to the weights and scores, with a part of its coefficient, which it returns.
  double take(const WeakHypothesis& hypothesis, double shrinkage, SignedWeights& weights,
              std::vector<double>& scores) const;

  const OfferGround& ground_;
  std::uint64_t seed_;
  const Workers& workers_;
  // At the beginning: the scores of the training side, of the test side where it judges, the weights, and the
  // scores of the judges.
  Scores train_scores_;
  std::optional<Scores> test_scores_;
  SignedWeights weights_;
  std::unique_ptr<StepRule> step_rule_;
  std::vector<double> judged_scores_;
};

}  // namespace mash
