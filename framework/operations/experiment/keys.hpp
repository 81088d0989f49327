// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/settings.hpp"
#include "framework/operations/experiment/key_meanings.hpp"

namespace mash {

// A key of the experiment file as its reader reads it.
struct ExperimentKey {
  Settings::Known takes;
  const KeyMeaning* meaning = nullptr;  // null where key_meanings() has no row of it
  bool required = false;
};

// Whether the key has a default that the user could write: a default outside the key's range means "no
// default".
bool has_default(const Settings::Known& takes);

// A part that can be chosen by name in a section, with its keys beside `name`.
struct ExperimentPart {
  std::string_view section;  // dataset, booster, weak, sampler
  std::string_view name;
  std::string_view summary;
  std::vector<ExperimentKey> keys;
};

// In the order of the tables: of data sets, boosters, weak learners and samplers.
std::vector<ExperimentPart> experiment_parts();
// The texts that may stand for a value, the default first: not those of all numbers, files and names.
std::vector<std::string> literal_values(const Settings::Known& takes);
// "rounds: 100, loss: exponential|logistic|savage, features: auto|N": what each key takes, the default first.
std::string keys_in_a_line(std::span<const ExperimentKey> keys);

// seed, runs, ...: the keys of the file that are values.
std::vector<ExperimentKey> experiment_value_keys();

// All keys as sections of Markdown with a table each, as in docs/experiment-file.md.
std::string experiment_key_tables();

}  // namespace mash
