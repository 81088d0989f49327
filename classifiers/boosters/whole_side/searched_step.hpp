// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/whole_side/step_rule.hpp"

namespace mash {

// The rule for any loss: a search over all examples and classes for the coefficient where the loss stops
// falling (losses/step_search.hpp), which ends with the new weights. Most rounds look at the examples twice:
// at 0, and at the coefficient that the slope and its derivatives there promise. Parameters as
// make_step_rule.
std::unique_ptr<StepRule> make_searched_step_rule(const Loss& loss, const SignedWeights& initial_weights,
                                                  const Workers& workers);

}  // namespace mash
