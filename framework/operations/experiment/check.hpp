// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/base/error_list.hpp"
#include "framework/base/work_context.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Checks the names and settings of an experiment, as far as this is possible without its data. Errors
// (kInput): everything that is wrong, in one error.
Status check_experiment(const Experiment& experiment, const Catalogue& catalogue);

// Reads an experiment to train it. Where something is wrong, the error lists all errors of the file, those of
// read_experiment and those of check_experiment. Tells of settings that an override drops. heuristics:
// plugins and folders of plugins, searched before the usual folders.
Result<Experiment> read_experiment_to_train(const std::filesystem::path& path, const Overrides& overrides,
                                            const std::vector<std::string>& heuristics,
                                            const WorkContext& work);

}  // namespace mash
