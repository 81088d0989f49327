// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/families/family.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Loads the data set of an experiment. Errors (kInput): everything that is wrong with its settings or files;
// there are no training examples; kStopped.
Result<Dataset> load_experiment_dataset(const Experiment& experiment, const WorkContext& work);

// A check for code that needs a finite training side. where: the place of the data set in the file, for
// errors. Errors (kInput): the training side is endless.
Status refuse_endless(const Dataset& dataset, std::string_view where);

// The families that an experiment lists, and one for each heuristic that was found where it has all of them;
// a listed one that is among these is there once. They are in the order of their names, not that of the file.
// Columns of files are not read: see match_columns.
// Errors (kInput): an unknown heuristic or setting; a family that is listed twice.
Result<std::vector<FamilySpec>> family_specs(const Experiment& experiment, const Catalogue& catalogue);

// The families with those of one heuristic exchanged: a family for each of these settings, in their order
// after all others, in the place of those that it had. A name contains all settings of its family. seed: the
// experiment's. Errors (kInput): an unknown setting, or a value that it does not take; settings that mean the
// same.
Result<std::vector<FamilySpec>> with_variants(std::vector<FamilySpec> specs, const HeuristicInfo& heuristic,
                                              std::span<const Settings> variants, std::uint64_t seed);

// The same, with columns of files matched to the pictures; for a table, the family of its columns. Errors
// (kInput): as above; those of match_columns; the sampler is bound to a family that is not there.
Result<std::vector<FamilySpec>> experiment_families(const Experiment& experiment, const Dataset& dataset,
                                                    const Catalogue& catalogue);

}  // namespace mash
