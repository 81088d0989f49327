// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "framework/analysis/answers/explanation.hpp"

// Changes of features and of hypotheses that would change the class of an example. values: those that the
// model's scorer takes; scores: what it gives. Only the classes that come next are looked at, at most
// kMostRivals of them.
namespace mash {

inline constexpr std::size_t kMostRivals = 10;

// The family that needs the fewest changed hypotheses; among equals the first. A hypothesis may be given each
// cell that it can have with other answers of the family's features; the other hypotheses stay.
std::optional<FamilyChange> family_change_of(const StrongClassifier& model, std::span<const float> values,
                                             std::span<const double> scores);

// The feature that has to cross the fewest thresholds, or has no thresholds; among equals the one that moves
// by the smallest part of itself.
std::optional<FeatureChange> feature_change_of(const StrongClassifier& model, std::span<const float> values,
                                               std::span<const double> scores);

}  // namespace mash
