// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/measure_costs.hpp"

#include <nlohmann/json.hpp>

#include "classifiers/budget/costs_file.hpp"
#include "framework/operations/experiment/families.hpp"

namespace mash {
Result<MeasuredCosts> measure_costs(const Experiment& experiment, const PluginPlaces& plugins, double seconds,
                                    const WorkContext& work) {
  MASH_ASSIGN(Catalogue catalogue, open_catalogue(plugins, work));
  warn_of_refused(catalogue, work.remarks);
  MASH_ASSIGN(const Dataset dataset, load_experiment_dataset(experiment, work));
  if (dataset.is_table())
    return input_error("data set {}: is a table, whose columns cost nothing to compute; expected images",
                       dataset.name);
  MASH_ASSIGN(const std::vector<FamilySpec> specs, family_specs(experiment, catalogue));
  MASH_ASSIGN(const auto timings, time_features(specs, {catalogue.host(), dataset, work}, seconds));
  MeasuredCosts costs{dataset.name, {}};
  for (std::size_t k = 0; k < specs.size(); ++k) {
    if (timings[k].ok()) {
      costs.families.push_back({specs[k].name, *timings[k]});
      continue;
    }
    if (specs[k].named) return timings[k].error().at("family " + specs[k].name);
    work.remarks.warn(fmt::format("family {} left out: {}", specs[k].name, timings[k].error().message));
  }
  if (costs.families.empty()) return input_error("no heuristic has features on these images");
  return costs;
}

std::string costs_table(const MeasuredCosts& costs) {
  std::vector<FamilyCosts> families;
  for (const TimedFamily& family : costs.families) {
    families.push_back(equal_costs(family.name, family.timing.dim, family.timing.feature));
    families.back().setup = family.timing.setup;
  }
  return costs_table(families, kMicroseconds);
}

nlohmann::ordered_json to_json(const MeasuredCosts& costs) {
  nlohmann::ordered_json json{{"dataset", costs.dataset}, {"unit", kMicroseconds}};
  json["families"] = nlohmann::ordered_json::array();
  for (const TimedFamily& family : costs.families)
    json["families"].push_back({{"name", family.name},
                                {"dim", family.timing.dim},
                                {"setup", family.timing.setup},
                                {"feature", family.timing.feature}});
  return json;
}

}  // namespace mash
