// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"
#include "framework/extractors/heuristic_info.hpp"

namespace mash {

// Turns what the user wrote ("{id: hog, cell: 4}" less the id) into one value per parameter, defaults filled
// in. Errors: unknown key, wrong type, out of range; each names the place.
Result<std::vector<double>> parameter_values(const HeuristicInfo& info, Settings settings);

// All that is wrong with what the user wrote.
std::vector<Error> parameter_problems(const HeuristicInfo& info, const Settings& settings);

// Draws a seed where the heuristic leaves that to its host: an integer "seed" whose default is 0, which the
// user did not set. It is the same for an experiment's seed and a heuristic's id, beside any others.
void draw_seed(const HeuristicInfo& info, std::uint64_t experiment_seed, std::span<double> values);

// "cell=4,bins=9": all parameters with their values, in declared order; "" where there are none.
std::string describe_values(const HeuristicInfo& info, std::span<const double> values);

// Settings for which parameter_values gives these values, every parameter named.
Settings parameter_settings(const HeuristicInfo& info, std::span<const double> values);

}  // namespace mash
