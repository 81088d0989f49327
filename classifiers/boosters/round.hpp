// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "classifiers/boosters/booster.hpp"
#include "classifiers/boosters/example_source.hpp"
#include "classifiers/boosters/step_rule.hpp"

namespace mash {

// What all boosters that go round by round have in common.
struct RoundSettings {
  std::uint32_t num_rounds = 100;
  bool stop_on_perfect = false;  // stop at the first hypothesis without a wrong weight
  // Every so many rounds the weights are computed anew from the scores: after 1000 multiplications they are
  // still right to 1e-12, and computing them takes as long as ten sampled rounds. Not a user's setting: it
  // changes the last bits of models.
  std::uint32_t recompute_every = 1000;
};

// What tells one such booster from another.
struct RoundParts {
  const ExampleSource& examples;
  ScanMode scan_mode;
  const Criterion& criterion;  // what the best stump is
  // Makes the step rule of one run. initial_weights: what examples.start gave.
  std::function<std::unique_ptr<StepRule>(const SignedWeights& initial_weights, const Workers& workers)>
      step_rule;
};

// Trains one run: all rounds, with the curve, the checkpoints and the events. As Booster::train.
Result<TrainingResult> train_rounds(const RoundSettings& settings, const RoundParts& parts,
                                    const SearchParts& search, std::uint64_t seed,
                                    const TrainingContext& context);

}  // namespace mash
