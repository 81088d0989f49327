// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Settings of a heuristic as options give them, "levels=8" each. A value is read as behind the ':' of its key
// in an experiment file.

// One value for each key. Errors (kInput): no KEY=VALUE; a value that no file could have there, or a list; a
// key that is given twice.
Result<Settings> parse_heuristic_settings(const Overrides& given);

// Variants of a heuristic: settings for each combination of the values that are given, in their order, the
// last key changing fastest. "levels=2,4,8" and "levels=[2, 4, 8]" give three values, "grid=2..4" the whole
// numbers from 2 to 4, and both forms can be mixed. Errors (kInput): as parse_heuristic_settings, apart from
// lists; an empty range; a value that is given twice; more than kMostVariants; fewer than two.
inline constexpr std::size_t kMostVariants = 100;
Result<std::vector<Settings>> parse_variants(const Overrides& given);

// "levels=8, grid=3"; empty where none is set.
std::string describe_given(const Settings& settings);

}  // namespace mash
