// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/workspace.hpp"

#include <chrono>

#include "framework/base/file.hpp"
#include "framework/families/extraction.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/check.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/experiment/strategies.hpp"
#include "framework/operations/upkeep/store.hpp"

namespace mash {
namespace {

std::vector<std::string> warnings_of(const Dataset& dataset, const FeatureSet& features,
                                     const Catalogue& catalogue) {
  std::vector<std::string> warnings = dataset.warnings;
  for (const LeftOut& left_out : features.left_out()) warnings.push_back(left_out.reason);
  for (const std::string& line : refusals(catalogue)) warnings.push_back(line);
  return warnings;
}

// The families of the experiment, where there are none yet, with columns of files matched to the pictures.
// Errors (kInput): the data set or the families are none for this experiment.
Status open_families(const Experiment& experiment, const WorkspaceSettings& settings, const Learner& learner,
                     const Dataset& dataset, AlreadyOpen& open) {
  if (!settings.takes_endless) MASH_TRY(refuse_endless(dataset, experiment.dataset.where));
  MASH_TRY(check_endless(experiment, learner, dataset));
  if (!open.families || dataset.is_table()) {
    MASH_ASSIGN(open.families, experiment_families(experiment, dataset, *open.catalogue));
  }
  return match_columns(*open.families, dataset);
}

}  // namespace

Result<StoreSettings> store_settings_of(const Experiment& experiment, const WorkspaceSettings& settings) {
  MASH_ASSIGN(const auto learner, make_learner(experiment));
  return StoreSettings{settings.store.empty() ? default_store() : settings.store, settings.store_limit,
                       learner->traits().wants_values, settings.strict, settings.family_limit};
}

Result<Workspace> open_workspace(const Experiment& experiment, const WorkspaceSettings& settings,
                                 const WorkContext& work, AlreadyOpen open) {
  const std::filesystem::path store = settings.store.empty() ? default_store() : settings.store;
  MASH_TRY(check_store_folder(store));
  if (!open.catalogue) {
    MASH_ASSIGN(open.catalogue,
                open_catalogue({settings.heuristics, experiment.isolation, experiment.patience}, work));
  }
  Catalogue& catalogue = *open.catalogue;
  MASH_TRY(check_experiment(experiment, catalogue));
  MASH_ASSIGN(const auto learner, make_learner(experiment));
  std::optional<Dataset> loaded;
  if (open.dataset == nullptr) {
    MASH_ASSIGN(loaded, load_experiment_dataset(experiment, work));
  }
  MASH_TRY(open_families(experiment, settings, *learner, loaded ? *loaded : *open.dataset, open));
  if (loaded) {
    // Columns of files are matched to the pictures by now.
    if (settings.forgets_names) forget_names(*loaded);
    open.dataset = std::make_shared<const Dataset>(*std::move(loaded));
  }
  const Dataset& dataset = *open.dataset;
  const std::vector<FamilySpec>& specs = *open.families;
  MASH_TRY(learner->check_families(specs));
  MASH_ASSIGN(Records records,
              Records::open(settings.database.empty() ? default_database() : settings.database));
  for (const char* kept : {"checkpoints", "models", kRoundsFolder})
    remove_old_files(store / kept, std::chrono::days(30));
  remove_oldest_files(store / kRoundsFolder, kMostRoundsBytes);
  MASH_ASSIGN(const StoreSettings store_settings, store_settings_of(experiment, settings));
  MASH_ASSIGN(FeatureSet features,
              FeatureSet::open(specs, store_settings, {catalogue.host(), dataset, work}));
  std::vector<std::string> warnings = warnings_of(dataset, features, catalogue);
  for (const std::string& warning : warnings) work.remarks.warn(warning);
  if (const auto warning = store_warning(store)) work.remarks.warn(*warning);
  return Workspace{.catalogue = std::move(catalogue),
                   .dataset = std::move(open.dataset),
                   .features = std::move(features),
                   .records = std::move(records),
                   .store = store,
                   .strict = settings.strict,
                   .warnings = std::move(warnings)};
}

}  // namespace mash
