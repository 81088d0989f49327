// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "classifiers/budget/costs.hpp"
#include "classifiers/serving/paid_predictor.hpp"
#include "framework/operations/prediction/loaded_model.hpp"

namespace mash {

// A model as a sum of hypotheses, which is what can be evaluated piece by piece. name: its file's, for the
// error (kInput): it is of another kind.
Result<const StrongClassifier*> additive_part(const Model& model, const std::string& name);

// The costs of its features: as the file says, or the model where `file` is empty. Errors (kInput): those of
// read_costs.
Result<FeatureCosts> costs_for(const StrongClassifier& model, const std::filesystem::path& file);

// Errors (kInput): those of the above, and of PaidPredictor::open.
Result<PaidPredictor> open_paid_predictor(LoadedModel& loaded, const std::filesystem::path& costs);

// The unit of costs in a document: null where the user knows it.
nlohmann::ordered_json unit_json(const std::string& unit);

}  // namespace mash
