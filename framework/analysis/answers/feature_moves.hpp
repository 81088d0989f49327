// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "framework/analysis/answers/explanation.hpp"

// Parts that the searches for changed features share.
namespace mash {

// The classes that come next to the predicted one, the largest score first.
std::vector<std::size_t> rivals_of(std::span<const double> scores, std::size_t predicted);

// The better of two changes of a feature is the one with fewer steps, then with the smaller move.
struct MoveCandidate {
  FeatureChange change;
  double move = 0;  // as a part of value and bound

  bool is_better_than(const std::optional<MoveCandidate>& other) const {
    if (!other || change.num_steps != other->change.num_steps)
      return !other || change.num_steps < other->change.num_steps;
    return move < other->move;
  }
};

// The way from one value to another, as a part of their sizes; 1 from a missing value.
double relative_move(float from, float to);

std::optional<FeatureChange> change_in(const std::optional<MoveCandidate>& candidate);

}  // namespace mash
