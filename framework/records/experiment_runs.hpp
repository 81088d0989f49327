// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "framework/records/records.hpp"

namespace mash {

// The finished runs of the experiment that a run belongs to, in order of seeds: the runs with the same name,
// data, features and settings (except the seed). Of each seed it is the latest run. A run that has not
// finished is returned alone. An unknown id gives none.
Result<std::vector<std::int64_t>> runs_of_experiment(const RecordsReader& records, std::int64_t run_id);

// The settings of each of these runs or trials as they hold, by key, without those of the data set that are
// defaults; none of one that an earlier version recorded.
using SettingsOfRun = std::map<std::string, std::string, std::less<>>;
Result<std::vector<SettingsOfRun>> read_settings(const RecordsReader& records,
                                                 std::span<const std::int64_t> run_ids);

// The side of the data set that errors and predictions are of: "test" or, where a part of the training side
// or the validation side of a folder stands in its place, "validation". "test" where the settings say
// nothing.
std::string judging_side(const SettingsOfRun& settings);

}  // namespace mash
