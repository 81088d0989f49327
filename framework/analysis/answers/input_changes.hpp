// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "framework/analysis/answers/explanation.hpp"

// Changes of one input that would change the class of an example, all others being as they are: of those with
// the fewest steps the smallest move. values: those that the model's scorer takes; scores: what it gives.
namespace mash {

std::optional<FeatureChange> feature_change_of(const LinearModel& model, std::span<const float> values,
                                               std::span<const double> scores);
std::optional<FeatureChange> feature_change_of(const GaussianModel& model, std::span<const float> values,
                                               std::span<const double> scores);
std::optional<FeatureChange> feature_change_of(const TreeModel& model, std::span<const float> values,
                                               std::span<const double> scores);
// Nothing is looked for in models without votes.
std::optional<FeatureChange> feature_change_of(const InputModel& model, std::span<const float> values,
                                               std::span<const double> scores);

}  // namespace mash
