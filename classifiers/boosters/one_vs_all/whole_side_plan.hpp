// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/one_vs_all/one_vs_all.hpp"

namespace mash {

// The examples that a round trains on, where F of all examples is known (Lefakis & Fleuret 2013, section
// 4.3).
enum class SideDraw {
  kAll,
  kFixed,     // `size` examples, chosen once
  kByWeight,  // WSS: drawn in every round in proportion to their weights, with replacement; they weigh alike
  kMada,      // drawn in proportion to the smaller of 1 and e^(-yF), the weight of MadaBoost (Domingo &
              // Watanabe 2000), with replacement; they weigh what the loss gives them divided by that
};

struct SidePlanSettings {
  SideDraw draw = SideDraw::kAll;
  std::size_t size = 1000;  // examples drawn; where there are fewer, and they are drawn once, all
  // Whether the coefficient is searched for on all training examples and not on the drawn ones.
  bool steps_on_all = false;
};

// Such a plan, with steps that minimise the loss on the examples of the round or on all.
ProblemParts make_whole_side_parts(const SidePlanSettings& settings, const PlanGround& ground);

}  // namespace mash
