// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/model_costs.hpp"

namespace mash {

Result<StrongClassifier> with_costs(StrongClassifier model, const FeatureCosts& costs) {
  MASH_TRY(costs.needs(model));
  ModelCosts attached{costs.unit(), {}};
  const auto needed = needed_features(model);
  for (std::uint32_t k = 0; k < needed.size(); ++k) {
    ModelFamilyCosts& family =
        attached.families.emplace_back(ModelFamilyCosts{costs.setup(k), needed[k], {}});
    for (const std::uint32_t feature : needed[k])
      family.costs.push_back(costs.feature(costs.first_feature(k) + feature));
  }
  model.costs = std::move(attached);
  return model;
}

FeatureCosts attached_costs(const StrongClassifier& model) {
  std::vector<FamilyCosts> families;
  for (std::size_t k = 0; k < model.families.size(); ++k) {
    FamilyCosts& family = families.emplace_back(
        equal_costs(model.families[k].name, model.families[k].dim, model.costs ? 0 : 1));
    if (!model.costs) continue;
    const ModelFamilyCosts& attached = model.costs->families[k];
    family.setup = attached.setup;
    for (std::size_t i = 0; i < attached.features.size(); ++i)
      family.features[attached.features[i]] = attached.costs[i];
  }
  // Those of a model have been checked, by with_costs or where its file was read.
  return *FeatureCosts::make(std::move(families), model.costs ? model.costs->unit : "features");
}

Result<double> total_price(const StrongClassifier& model, const FeatureCosts& costs) {
  MASH_ASSIGN(const std::vector<Needs> needs, costs.needs(model));
  Purchases all(costs);
  for (const Needs& of_hypothesis : needs) all.pay(of_hypothesis);
  return all.spent();
}

}  // namespace mash
