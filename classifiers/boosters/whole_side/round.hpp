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

// Settings that all boosters share which train on the whole training side.
struct RoundSettings : LoopSettings {
  // After this number of rounds the weights are computed again from the scores: after 1000 multiplications
  // they are still right to 1e-12, and computing them takes as long as ten sampled rounds. Not a user's
  // setting: it changes the last bits of models.
  std::uint32_t recompute_every = 1000;
};

// Limits what the hypotheses of a run may ask of an example, and prefers some of them for it. Belongs to one
// run.
class RoundLimit : public Ranking {
 public:
  virtual void begin_round() = 0;
  // Whether the hypothesis may be added.
  virtual bool admits(const Hypothesis& hypothesis) const = 0;
  // It was added. REQUIRES: admits(hypothesis).
  virtual void take(const Hypothesis& hypothesis) = 0;
  // State that a checkpoint keeps, and takes after the hypotheses that there were are taken again.
  virtual std::vector<double> state() const = 0;
  virtual void restore(std::span<const double> state) = 0;
};

// Parts that tell one such booster from another.
struct RoundParts {
  const ExampleSource& examples;
  ScanMode scan_mode;
  const Criterion& criterion;  // what the best stump is
  // Makes the step rule of one run. initial_weights: what examples.start gave.
  std::function<std::unique_ptr<StepRule>(const SignedWeights& initial_weights, const Workers& workers)>
      step_rule;
  RoundLimit* limit = nullptr;  // of the run; null: none
};

// Trains one run on the whole training side, by the loop of all boosters. As Learner::train.
Result<TrainingResult> train_rounds(const RoundSettings& settings, const RoundParts& parts,
                                    const SearchParts& search, std::uint64_t seed,
                                    const TrainingContext& context);

}  // namespace mash
