// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/paid_model.hpp"

#include <nlohmann/json.hpp>

#include "classifiers/budget/costs_file.hpp"
#include "classifiers/budget/model_costs.hpp"

namespace mash {

Result<FeatureCosts> costs_for(const StrongClassifier& model, const std::filesystem::path& file) {
  if (file.empty()) return attached_costs(model);
  std::vector<FamilySize> sizes;
  for (const ModelFamily& family : model.families) sizes.push_back({family.name, family.dim});
  return read_costs(file, sizes);
}

Result<PaidPredictor> open_paid_predictor(LoadedModel& loaded, const std::filesystem::path& costs) {
  MASH_ASSIGN(const StrongClassifier* model, sum_of(loaded.model, loaded.name));
  MASH_ASSIGN(FeatureCosts of_features, costs_for(*model, costs));
  auto predictor = PaidPredictor::open(*model, std::move(of_features), loaded.catalogue);
  if (!predictor.ok()) return predictor.error().at(loaded.name);
  return predictor;
}

nlohmann::ordered_json unit_json(const std::string& unit) {
  return unit.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(unit);
}

}  // namespace mash
