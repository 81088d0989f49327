// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "framework/base/progress.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/families/family.hpp"
#include "framework/operations/experiment.hpp"

namespace mash {

// The data set of an experiment. Errors (kInput): whatever is wrong with its settings or files; no training
// examples.
Result<Dataset> load_experiment_dataset(const Experiment& experiment, Progress& progress);

// The families that an experiment trains on, in the order of their names, whatever their order in the file.
// Errors (kInput): an unknown heuristic or setting; a family that is listed twice; a sampler that is bound to
// a family that is not there.
Result<std::vector<FamilySpec>> experiment_families(const Experiment& experiment, const Dataset& dataset,
                                                    const Catalogue& catalogue);

}  // namespace mash
