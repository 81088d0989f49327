// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "classifiers/budget/costs.hpp"
#include "classifiers/serving/paid_predictor.hpp"
#include "framework/operations/prediction/loaded_model.hpp"

namespace mash {

// The costs of the model's features: those of the file or, where `file` is empty, those in the model. Errors
// (kInput): those of read_costs.
Result<FeatureCosts> costs_for(const StrongClassifier& model, const std::filesystem::path& file);

// Errors (kInput): those of costs_for and of PaidPredictor::open.
Result<PaidPredictor> open_paid_predictor(LoadedModel& loaded, const std::filesystem::path& costs);

// The unit of costs in a document; null where only the user knows it.
nlohmann::ordered_json unit_json(const std::string& unit);

}  // namespace mash
