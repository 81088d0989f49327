// SPDX-License-Identifier: Apache-2.0
#include "classifiers/events/training.hpp"

namespace mash {

std::string_view to_string(TrainingStatus status) {
  switch (status) {
    case TrainingStatus::kComplete: return "complete";
    case TrainingStatus::kNoWeakLearner: return "no weak learner";
    case TrainingStatus::kSeparated: return "separated";
    case TrainingStatus::kErrorReached: return "error reached";
    case TrainingStatus::kBudgetSpent: return "budget spent";
    case TrainingStatus::kStopped: return "stopped";
  }
  return "";
}

std::optional<TrainingStatus> training_status_named(std::string_view name) {
  for (const TrainingStatus status :
       {TrainingStatus::kComplete, TrainingStatus::kNoWeakLearner, TrainingStatus::kSeparated,
        TrainingStatus::kErrorReached, TrainingStatus::kBudgetSpent, TrainingStatus::kStopped})
    if (name == to_string(status)) return status;
  return std::nullopt;
}

}  // namespace mash
