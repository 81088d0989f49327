// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/train_model.hpp"

#include "classifiers/builtin.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/families/feature_set.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/experiment/strategies.hpp"
#include "framework/operations/training/workspace.hpp"

namespace mash {

Result<Model> train_model(const Experiment& experiment, const Dataset& dataset, const PluginPlaces& plugins,
                          const WorkContext& work) {
  MASH_ASSIGN(const Strategies strategies, make_strategies(experiment));
  MASH_ASSIGN(const SamplerRow* sampler, find_sampler(experiment.sampler.name));
  if (is_tuned(sampler->tuning, experiment.sampler.settings))
    return input_error("sampler {}: found {} to be tuned, expected a value", experiment.sampler.name,
                       sampler->tuning.key);
  MASH_ASSIGN(Catalogue catalogue, open_catalogue(plugins, work.remarks));
  MASH_ASSIGN(const std::vector<FamilySpec> specs, family_specs(experiment, catalogue));
  MASH_TRY(strategies.booster->check_families(specs));
  MASH_ASSIGN(const ScratchFolder folder, ScratchFolder::make("train"));
  StoreSettings store{folder.path()};
  store.keep_values = strategies.search.weak->cuts() == Cuts::kExact;
  MASH_ASSIGN(const FeatureSet features, FeatureSet::open(specs, store, {catalogue.host(), dataset, work}));
  for (const LeftOut& left_out : features.left_out()) work.remarks.warn(left_out.reason);
  Observer nobody;
  TrainingContext context{.dataset = dataset,
                          .features = features,
                          .work = work,
                          .observer = nobody,
                          .checkpoint = {},
                          .run_key = {}};
  context.scores_test_side = false;
  MASH_ASSIGN(TrainingResult result, strategies.booster->train(strategies.search, experiment.seed, context));
  if (result.status == TrainingStatus::kStopped) return Error{ErrorKind::kStopped, "stopped by the user"};
  return std::move(result.model);
}

}  // namespace mash
