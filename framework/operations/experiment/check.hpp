// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/base/error_list.hpp"
#include "framework/base/work_context.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Everything that is wrong with the names and settings of an experiment and can be known without its data.
// Errors (kInput): all of it.
Status check_experiment(const Experiment& experiment, const Catalogue& catalogue);

// Reads an experiment to train it: where something is wrong, all errors of the file are told, those of
// read_experiment and those of check_experiment. heuristics: plugins and folders of plugins, before the usual
// folders.
Result<Experiment> read_experiment_to_train(const std::filesystem::path& path, const Overrides& overrides,
                                            const std::vector<std::string>& heuristics,
                                            const WorkContext& work);

}  // namespace mash
