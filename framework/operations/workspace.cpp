// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workspace.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "framework/base/file.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/places.hpp"
#include "framework/operations/plugins.hpp"
#include "framework/operations/strategies.hpp"

namespace mash {
namespace {

Result<Dataset> load(const Experiment& experiment, Progress& progress) {
  auto dataset =
      load_dataset(experiment.dataset.name, experiment.dataset.settings, experiment.seed, progress);
  if (!dataset.ok()) {
    // Whatever else is wrong has a place of its own.
    const bool is_known =
        std::any_of(dataset_formats().begin(), dataset_formats().end(),
                    [&](const DatasetFormat& format) { return format.name == experiment.dataset.name; });
    return is_known ? dataset.error() : dataset.error().at(experiment.dataset.where);
  }
  if (dataset->train.num_examples == 0)
    return input_error("data set {}: no training examples", experiment.dataset.name);
  return dataset;
}

// One family for each heuristic that was found, with its default settings.
Result<std::vector<FamilySpec>> all_families(std::uint64_t seed, const Catalogue& catalogue) {
  std::vector<FamilySpec> specs;
  for (const HeuristicInfo& info : catalogue.heuristics()) {
    MASH_ASSIGN(auto values, parameter_values(info, {}));
    draw_seed(info, seed, values);
    specs.push_back({info.id, info, values, describe_values(info, values), false});
  }
  if (specs.empty())
    return input_error(
        "no heuristics were found; searched the folders that were named, $MASH_HEURISTICS and the "
        "installed ones");
  return specs;
}

}  // namespace

Result<std::vector<FamilySpec>> family_specs(const Experiment& experiment, const Catalogue& catalogue) {
  std::vector<FamilySpec> specs;
  if (experiment.all_heuristics) {
    MASH_ASSIGN(specs, all_families(experiment.seed, catalogue));
  }
  for (const NamedSettings& wanted : experiment.heuristics) {
    const auto info = catalogue.find(wanted.name);
    if (!info.ok()) return info.error().at(wanted.where);
    MASH_ASSIGN(auto values, parameter_values(**info, wanted.settings));
    draw_seed(**info, experiment.seed, values);
    specs.push_back({wanted.name, **info, values, describe_values(**info, values), true});
  }
  std::sort(specs.begin(), specs.end(), [](const FamilySpec& a, const FamilySpec& b) {
    return std::tie(a.name, a.settings) < std::tie(b.name, b.settings);
  });
  for (std::size_t i = 1; i < specs.size(); ++i)
    if (specs[i - 1].heuristic.id == specs[i].heuristic.id && specs[i - 1].settings == specs[i].settings)
      return input_error("heuristic {} is listed twice with the same settings ({})", specs[i].heuristic.id,
                         specs[i].settings);
  for (FamilySpec& spec : specs)
    if (std::count_if(specs.begin(), specs.end(),
                      [&](const auto& s) { return s.heuristic.id == spec.heuristic.id; }) > 1)
      spec.name = fmt::format("{}({})", spec.heuristic.id, spec.settings);
  return specs;
}

namespace {

// Whether the family that a sampler is bound to, if it is bound to one, is among the experiment's: to be
// known before the extraction.
Status check_family(const Settings& sampler, std::span<const FamilySpec> specs) {
  const auto family = sampler.peek("family");
  if (!family || *family == kTuned) return Done{};
  std::vector<std::string_view> known;
  for (const FamilySpec& spec : specs) known.push_back(spec.name);
  if (std::find(known.begin(), known.end(), *family) != known.end()) return Done{};
  return unknown_name("family", *family, known).at(sampler.where("family"));
}

std::vector<std::string> warnings_of(const Dataset& dataset, const FeatureSet& features,
                                     const Catalogue& catalogue) {
  std::vector<std::string> warnings = dataset.warnings;
  for (const LeftOut& left_out : features.left_out()) warnings.push_back(left_out.reason);
  for (const RefusedPlugin& refused : catalogue.refused())
    warnings.push_back(fmt::format("plugin {} refused: {}", refused.file.string(), refused.reason));
  return warnings;
}

}  // namespace

Result<Workspace> open_workspace(const Experiment& experiment, const WorkspaceSettings& settings,
                                 const WorkContext& work, AlreadyOpen open) {
  if (!open.catalogue) {
    MASH_ASSIGN(
        open.catalogue,
        open_catalogue({settings.heuristics, experiment.isolation, experiment.patience}, work.remarks));
  }
  Catalogue& catalogue = *open.catalogue;
  MASH_ASSIGN(const Strategies strategies, make_strategies(experiment));
  const std::filesystem::path store = settings.store.empty() ? default_store() : settings.store;
  MASH_TRY(check_store_folder(store));
  if (open.dataset == nullptr) {
    MASH_ASSIGN(Dataset loaded, load(experiment, work.progress));
    open.dataset = std::make_shared<const Dataset>(std::move(loaded));
  }
  const Dataset& dataset = *open.dataset;
  std::vector<FamilySpec> specs{columns_family()};
  if (!dataset.is_table()) {
    MASH_ASSIGN(specs, family_specs(experiment, catalogue));
  }
  MASH_TRY(check_family(experiment.sampler.settings, specs));
  MASH_ASSIGN(Records records,
              Records::open(settings.database.empty() ? default_database() : settings.database));
  for (const char* kept : {"checkpoints", "models"}) remove_old_files(store / kept, std::chrono::days(30));
  const StoreSettings store_settings{store, settings.store_limit,
                                     strategies.search.weak->cuts() == Cuts::kExact, settings.strict};
  MASH_ASSIGN(FeatureSet features,
              FeatureSet::open(specs, store_settings, {catalogue.host(), dataset, work}));
  for (const std::string& warning : warnings_of(dataset, features, catalogue)) work.remarks.warn(warning);
  return Workspace{
      std::move(catalogue), std::move(open.dataset), std::move(features), std::move(records), store,
      settings.strict};
}

std::vector<std::string> Workspace::warnings() const { return warnings_of(*dataset, features, catalogue); }

Status Workspace::check_faults() const { return strict ? check_strict(features) : Done{}; }

}  // namespace mash
