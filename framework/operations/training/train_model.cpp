// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/train_model.hpp"

#include "classifiers/builtin.hpp"
#include "classifiers/serving/probe.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/families/feature_set.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/experiment/strategies.hpp"
#include "framework/operations/training/workspace.hpp"

namespace mash {

Result<Model> train_model(const Experiment& experiment, const Dataset& dataset, const PluginPlaces& plugins,
                          const WorkContext& work, std::span<const double> example_weights) {
  MASH_ASSIGN(const auto learner, make_learner(experiment));
  if (const Tuning tuning = tuning_of(experiment); !tuning.key.empty())
    return input_error("sampler {}: found {} to be tuned, expected a value", experiment.sampler.name,
                       tuning.key);
  if (!example_weights.empty()) MASH_TRY(check_weighing(experiment, *learner));
  MASH_ASSIGN(Catalogue catalogue, open_catalogue(plugins, work));
  warn_of_refused(catalogue, work.remarks);
  MASH_ASSIGN(const std::vector<FamilySpec> specs, family_specs(experiment, catalogue));
  MASH_TRY(learner->check_families(specs));
  MASH_ASSIGN(const ScratchFolder folder, ScratchFolder::make("train"));
  StoreSettings store{folder.path()};
  store.keep_values = learner->traits().wants_values;
  MASH_ASSIGN(const FeatureSet features, FeatureSet::open(specs, store, {catalogue.host(), dataset, work}));
  for (const LeftOut& left_out : features.left_out()) work.remarks.warn(left_out.reason);
  Observer nobody;
  const TrainingContext context{.dataset = dataset,
                                .features = features,
                                .work = work,
                                .observer = nobody,
                                .checkpoint = {},
                                .run_key = {},
                                .example_weights = example_weights,
                                .purpose = Purpose::kModel};
  MASH_ASSIGN(TrainingResult result, learner->train(experiment.seed, context));
  if (result.status == TrainingStatus::kStopped) return stopped_by_user();
  add_training_facts(dataset.train, catalogue, result.model);
  return std::move(result.model);
}

}  // namespace mash
