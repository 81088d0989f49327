// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/model/model.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Trains an experiment, with its first seed, on the training side of a data set that the caller has: the
// model of run_experiment, without records and without a look at the test side. Features are kept in a folder
// below $TMPDIR until it returns. Errors (kInput): what is wrong with the experiment; a sampler whose setting
// is to be tuned; no family is left; kFailure: the disk's; kStopped.
Result<Model> train_model(const Experiment& experiment, const Dataset& dataset, const PluginPlaces& plugins,
                          const WorkContext& work);

}  // namespace mash
