// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/one_vs_all/one_vs_all.hpp"
#include "classifiers/reservoir/retention.hpp"

namespace mash {

struct ReservoirSettings {
  std::shared_ptr<const Retention> keep;
  std::size_t size = 250;       // r: examples that a problem keeps
  std::size_t num_fresh = 250;  // q: that are new in each round
  // Whether the coefficient of a hypothesis, too, is found with the corrected weights, where those below 0
  // count as 0. If not, each example counts once.
  bool corrects_steps = false;
};

// Each problem trains on a reservoir of r examples (Lefakis & Fleuret 2013, Table 2). Before its round, q
// fresh examples come from the training side, in shuffled passes and the same for all problems. The strategy
// keeps r of the r + q. Nothing is known about other examples: F of a fresh example is computed when it
// comes, from the features that the model needs. The error is that of the last 1000 fresh examples, before
// they were trained on.
std::unique_ptr<ExamplePlan> make_reservoir_plan(const ReservoirSettings& settings, const PlanGround& ground);

}  // namespace mash
