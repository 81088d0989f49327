// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "framework/operations/training/run_experiment.hpp"

namespace mash {

// The output of `mash run --json`; its keys are a contract: others' scripts read them. Errors are fractions,
// cost is in pairs of feature and example, seconds are wall seconds. With several runs each figure is a mean,
// beside its standard deviation as KEY_sd.
nlohmann::ordered_json to_json(const ExperimentResult& result);

}  // namespace mash
