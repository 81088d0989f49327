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

  // Sets hypothesis.model.alpha, changes `weights` and returns log10 of the factor by which the loss changed
  // (finite, also where the loss becomes 0). Where nothing can be gained, alpha is 0. train_scores: the
  // scores before the hypothesis. Keeps nothing that weights and scores do not tell: a checkpoint holds only
  // the weights and the hypotheses.
  virtual double step(WeakHypothesis& hypothesis, SignedWeights& weights, Scores& train_scores) = 0;

  // Computes the weights from the scores alone, because many multiplications make them drift.
  virtual void recompute(SignedWeights& weights, Scores& train_scores) = 0;
};

// The rule that reduces a loss most: by the loss's formula where it has one, else by a search over all
// examples and classes. initial_weights: of the run. loss, workers: outlive the rule.
std::unique_ptr<StepRule> make_step_rule(const Loss& loss, const SignedWeights& initial_weights,
                                         const Workers& workers);

}  // namespace mash
