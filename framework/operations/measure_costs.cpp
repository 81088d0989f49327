// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/measure_costs.hpp"

#include <nlohmann/json.hpp>

#include "classifiers/budget/costs_file.hpp"
#include "framework/operations/experiment_families.hpp"

namespace mash {
namespace {

// Those that have features on the images of the data set.
Result<std::vector<FamilySpec>> usable_families(const Experiment& experiment, Catalogue& catalogue,
                                                const ExtractionContext& context,
                                                std::vector<TimedFamily>& measured) {
  MASH_ASSIGN(std::vector<FamilySpec> specs, family_specs(experiment, catalogue));
  std::vector<FamilySpec> usable;
  for (FamilySpec& spec : specs) {
    const auto dim = family_dim(spec, context);
    if (!dim.ok() && spec.named) return dim.error().at("family " + spec.name);
    if (!dim.ok()) {
      context.work.remarks.warn(fmt::format("family {} left out: {}", spec.name, dim.error().message));
      continue;
    }
    measured.push_back({spec.name, *dim, {}});
    usable.push_back(std::move(spec));
  }
  if (usable.empty()) return input_error("no heuristic has features on these images");
  return usable;
}

}  // namespace

Result<MeasuredCosts> measure_costs(const Experiment& experiment, const PluginPlaces& plugins, double seconds,
                                    const WorkContext& work) {
  MASH_ASSIGN(Catalogue catalogue, open_catalogue(plugins, work.remarks));
  MASH_ASSIGN(const Dataset dataset, load_experiment_dataset(experiment, work.progress));
  if (dataset.is_table())
    return input_error("data set {}: is a table, whose columns cost nothing to compute; expected images",
                       dataset.name);
  const ExtractionContext context{catalogue.host(), dataset, work};
  MeasuredCosts costs{dataset.name, {}};
  MASH_ASSIGN(const auto specs, usable_families(experiment, catalogue, context, costs.families));
  MASH_ASSIGN(const auto timings, time_features(specs, context, seconds));
  std::vector<TimedFamily> measured;
  for (std::size_t k = 0; k < timings.size(); ++k) {
    const std::string& name = specs[k].name;
    if (!timings[k].ok() && specs[k].named) return timings[k].error().at("family " + name);
    if (!timings[k].ok()) {
      work.remarks.warn(fmt::format("family {} left out: {}", name, timings[k].error().message));
      continue;
    }
    measured.push_back({name, costs.families[k].dim, *timings[k]});
  }
  if (measured.empty()) return input_error("no heuristic computes features of these images");
  costs.families = std::move(measured);
  return costs;
}

std::string costs_table(const MeasuredCosts& costs) {
  std::vector<FamilyCosts> families;
  for (const TimedFamily& family : costs.families) {
    families.push_back(equal_costs(family.name, family.dim, family.timing.feature));
    families.back().setup = family.timing.setup;
  }
  return costs_table(families, kMicroseconds);
}

nlohmann::ordered_json to_json(const MeasuredCosts& costs) {
  nlohmann::ordered_json json{{"dataset", costs.dataset}, {"unit", kMicroseconds}};
  json["families"] = nlohmann::ordered_json::array();
  for (const TimedFamily& family : costs.families)
    json["families"].push_back({{"name", family.name},
                                {"dim", family.dim},
                                {"setup", family.timing.setup},
                                {"feature", family.timing.feature}});
  return json;
}

}  // namespace mash
