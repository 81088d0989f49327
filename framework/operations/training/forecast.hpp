// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "framework/base/work_context.hpp"
#include "framework/families/feature_set.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Forecast of training, measured by some of its rounds.
struct TrainingForecast {
  double seconds = 0;                 // of all trainings: every seed, and every value that is tried
  std::uint32_t rounds_measured = 0;  // 0: nothing was measured
  std::size_t num_measured_on = 0;    // training examples: all, or a part from which it was computed
  std::uint64_t num_trainings = 1;
  std::string reason;  // why nothing was measured
};

// Times the first rounds of a training of this many rounds. features: of the data set. Errors: those of a
// training; kStopped.
Result<TrainingForecast> forecast_training(const Experiment& experiment, std::uint32_t num_rounds,
                                           const Dataset& dataset, const FeatureSet& features,
                                           const WorkContext& work);

// The same without the features: they are extracted into a scratch folder, for a part of the examples and for
// half of it, and the time on all examples lies on the line through both times. extract_seconds: of all
// examples. Nothing is measured, and the reason told, where even a small part would take long. Errors also:
// those of FeatureSet::open.
Result<TrainingForecast> forecast_training_by_parts(const Experiment& experiment, std::uint32_t num_rounds,
                                                    std::span<const FamilySpec> specs,
                                                    const StoreSettings& settings, double extract_seconds,
                                                    const ExtractionContext& context);

}  // namespace mash
