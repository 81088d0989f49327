// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/loop/scores.hpp"
#include "classifiers/losses/loss.hpp"
#include "classifiers/scan/signed_weights.hpp"
#include "classifiers/weak/weak_learner.hpp"

namespace mash {

// Chooses the coefficient of a round's hypothesis, and computes from it the new weights and the change of the
// loss. Belongs to one run.
class StepRule {
 public:
  virtual ~StepRule() = default;

  // Sets hypothesis.model.alpha, moves `weights` and returns log10 of the factor by which the loss changed
  // (finite, also where the loss comes to 0). Where nothing is to be gained, alpha is 0. train_scores: before
  // the hypothesis. Keeps nothing of the round: a checkpoint holds the weights and the hypotheses alone.
  virtual double step(WeakHypothesis& hypothesis, SignedWeights& weights, Scores& train_scores) = 0;

  // Computes weights from the scores alone, where they drift away by many multiplications.
  virtual void recompute(SignedWeights& weights, Scores& train_scores) = 0;
};

// The rule that brings a loss down most: by its formula where it has one, else by a line search over all
// examples and classes. initial_weights: of the run. loss, workers: outlive it.
std::unique_ptr<StepRule> make_step_rule(const Loss& loss, const SignedWeights& initial_weights,
                                         const Workers& workers);

}  // namespace mash
