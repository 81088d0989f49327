// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "framework/base/settings.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// Keys that several learners have.

// `inputs`, codes or values, and `features`: the most that are taken; `all`, the default, is no limit.
struct InputOptions {
  FeatureNumber number = FeatureNumber::kCode;
  std::size_t num_features = 0;
};
Result<InputOptions> read_input_options(Settings& settings);

// A list of numbers above 0, in the order in which they are given. defaults: as a user would write it, or
// `tuned`, which gives an empty list.
Result<std::vector<double>> read_positive_numbers(Settings& settings, std::string_view key,
                                                  std::string_view defaults);

}  // namespace mash
