// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/families/family.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// The data set of an experiment. Errors (kInput): all that is wrong with its settings or files; no training
// examples. kStopped.
Result<Dataset> load_experiment_dataset(const Experiment& experiment, const WorkContext& work);

// For code that needs a finite training side. Errors (kInput): the side is endless. where: of the data set,
// for errors.
Status refuse_endless(const Dataset& dataset, std::string_view where);

// The families that an experiment names, or one for each heuristic that was found, in the order of their
// names, for any order in the file. Errors (kInput): an unknown heuristic or setting; a family that is listed
// twice.
Result<std::vector<FamilySpec>> family_specs(const Experiment& experiment, const Catalogue& catalogue);

// The same, or the columns of a table. Errors (kInput): as above, and a sampler that is bound to a family
// that is not there.
Result<std::vector<FamilySpec>> experiment_families(const Experiment& experiment, const Dataset& dataset,
                                                    const Catalogue& catalogue);

}  // namespace mash
