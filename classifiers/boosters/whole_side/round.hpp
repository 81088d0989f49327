// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "classifiers/boosters/loop/booster.hpp"
#include "classifiers/boosters/loop/round_loop.hpp"
#include "classifiers/boosters/loop/training_side.hpp"
#include "classifiers/boosters/whole_side/step_rule.hpp"

namespace mash {

// A booster that weighs all examples in each round, so that they may weigh differently from the beginning.
class WholeSideBooster : public Booster {
 public:
  using Booster::Booster;
  LearnerTraits traits() const override {
    LearnerTraits traits = Booster::traits();
    traits.weighs_examples = true;
    return traits;
  }
};

// Settings common to all boosters that train on the whole training side.
struct RoundSettings : LoopSettings {
  // The number of rounds after which the weights are computed again from the scores. After 1000
  // multiplications they are still right to 1e-12, and computing them takes as long as ten sampled rounds. It
  // is not a user's setting, because it changes the last bits of models.
  std::uint32_t recompute_every = 1000;
};

// Limits which features the hypotheses of a run may use, and ranks candidates accordingly. Belongs to one
// run.
class RoundLimit : public Ranking {
 public:
  virtual void begin_round() = 0;
  // Whether the hypothesis may be added.
  virtual bool admits(const Hypothesis& hypothesis) const = 0;
  // Notes that the hypothesis was added. REQUIRES: admits(hypothesis).
  virtual void take(const Hypothesis& hypothesis) = 0;
  // State that a checkpoint keeps. `restore` takes it back, after `take` was called again for all earlier
  // hypotheses.
  virtual std::vector<double> state() const = 0;
  virtual void restore(std::span<const double> state) = 0;
};

// Parts in which these boosters differ.
struct RoundParts {
  const ExampleSource& examples;
  ScanMode scan_mode;
  const Criterion& criterion;  // says which stump is best
  // Makes the step rule of one run. initial_weights: those that examples.start gave.
  std::function<std::unique_ptr<StepRule>(const SignedWeights& initial_weights, const Workers& workers)>
      step_rule;
  RoundLimit* limit = nullptr;  // of the run; null: none
};

// Trains one run on the whole training side, as Learner::train, by the loop of all boosters.
Result<TrainingResult> train_rounds(const RoundSettings& settings, const RoundParts& parts,
                                    const SearchParts& search, std::uint64_t seed,
                                    const TrainingContext& context);

}  // namespace mash
