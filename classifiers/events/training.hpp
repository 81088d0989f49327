// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "classifiers/events/observer.hpp"
#include "classifiers/model/model.hpp"

namespace mash {

enum class TrainingStatus {
  kComplete,       // all rounds
  kNoWeakLearner,  // no candidate with an edge was left
  kSeparated,  // training error 0 and loss below 1e-300; with stop_on_perfect: a hypothesis without a mistake
  kErrorReached,  // as far as the examples of a filter tell, the error is as small as was asked for
  kBudgetSpent,   // the next hypothesis would have cost more than what was left of the budget
  kStopped,       // the user asked to stop; the rounds done are kept
};
std::string_view to_string(TrainingStatus status);
// The status of this name; nothing where there is none.
std::optional<TrainingStatus> training_status_named(std::string_view name);

// The results of a training run.
// The value of a setting that a training has chosen itself, among several.
struct ChosenSetting {
  std::string setting = {};  // empty: there was nothing to choose
  std::string value = {};
  std::size_t num_tried = 0;
  double seconds = 0;  // of the choice
};

struct TrainingResult {
  Model model;
  TrainingStatus status = TrainingStatus::kComplete;
  std::uint32_t num_rounds = 0;  // done, idle ones included
  Meters meters;
  std::vector<CurvePoint> curve;
  std::vector<FamilyUse> families;  // one per family that was trained with
  std::vector<double> test_scores;  // num_test x K: f_l of each test example
  ChosenSetting chosen = {};
};

}  // namespace mash
