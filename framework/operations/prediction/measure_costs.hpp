// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "classifiers/budget/costs.hpp"
#include "framework/base/work_context.hpp"
#include "framework/families/feature_timing.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Measured costs of the features of one family.
struct TimedFamily {
  std::string name;
  FeatureTiming timing;
};
struct MeasuredCosts {
  std::string dataset;  // on whose images
  std::vector<TimedFamily> families;
};

// Times the features of an experiment's heuristics on images of its training side, on one thread, for about
// `seconds` in all. A heuristic that the user did not name and that fails is left out, with a warning. Errors
// (kInput): everything that is wrong with the experiment; the data are a table, whose columns cost nothing;
// kStopped.
Result<MeasuredCosts> measure_costs(const Experiment& experiment, const PluginPlaces& plugins, double seconds,
                                    const WorkContext& work);

// The file of these costs (costs_table), in microseconds.
std::string costs_table(const MeasuredCosts& costs);

nlohmann::ordered_json to_json(const MeasuredCosts& costs);

}  // namespace mash
