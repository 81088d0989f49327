// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "classifiers/model/model.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Trains an experiment, with its first seed, on the training side of a data set that the caller has. The
// model is that of run_experiment, but nothing is recorded and the test side is not looked at. Features are
// kept in a folder below $TMPDIR until the function returns. example_weights: of the training examples,
// finite, 0 or more and not all 0; none where all weigh the same. Errors (kInput): something is wrong with
// the experiment; a setting of the sampler has to be tuned; no family is left; the learner cannot weigh
// examples; kFailure: the disk's; kStopped.
Result<Model> train_model(const Experiment& experiment, const Dataset& dataset, const PluginPlaces& plugins,
                          const WorkContext& work, std::span<const double> example_weights = {});

}  // namespace mash
