// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/records/experiment_runs.hpp"

namespace mash {

// Key and value of the settings by which a row differs from others, in the order of their keys.
using DifferingSettings = std::vector<std::pair<std::string, std::string>>;

// The settings of each row that are not the same in all rows. A setting of a part, such as sampler.budget, is
// compared among the rows whose part has the same name. One of a data set that a row lacks is a default
// there. Left out are the names of parts and the seeds, which have columns of their own, and these `shown`
// keys. Rows without settings differ in none.
std::vector<DifferingSettings> differing_settings(std::span<const SettingsOfRun> rows,
                                                  std::span<const std::string_view> shown);

// "booster.rounds 2000, sampler.budget 5"; "" where there are none.
std::string differences_in_words(const DifferingSettings& settings);

// The same for each of several rows, which go by these names. A long value, such as a list of heuristics, is
// told once: where it comes again, "heuristics as of 3".
std::vector<std::string> differences_in_words(std::span<const DifferingSettings> rows,
                                              std::span<const std::string> names);

}  // namespace mash
