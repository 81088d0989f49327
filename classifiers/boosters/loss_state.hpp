// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/adaboost_mh.hpp"
#include "classifiers/boosters/scores.hpp"

namespace mash {

// The part of a round that depends on the loss: from the hypothesis to its coefficient, the new weights and
// the loss.
class LossState {
 public:
  virtual ~LossState() = default;

  // Sets hypothesis.model.alpha, moves `weights` and returns log10 of the factor by which the loss changed.
  // train_scores holds the scores before the hypothesis.
  virtual double step(WeakHypothesis& hypothesis, SignedWeights& weights, const Scores& train_scores) = 0;

  // Weights from the scores alone, against the drift of many multiplications; nothing where step does not
  // multiply.
  virtual void recompute(SignedWeights& weights, const Scores& train_scores) = 0;
};

std::unique_ptr<LossState> make_loss_state(LossKind loss, const SignedWeights& initial_weights,
                                           const Workers& workers);

}  // namespace mash
