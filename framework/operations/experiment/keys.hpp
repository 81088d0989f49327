// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/settings.hpp"
#include "framework/operations/experiment/key_meanings.hpp"

namespace mash {

// A key of the experiment file, as described by the code that reads it.
struct ExperimentKey {
  Settings::Known takes;
  const KeyMeaning* meaning = nullptr;  // null where key_meanings() has no row of it
  bool required = false;
};

// Whether the key has a default that the user could write. A default outside of the key's range means "no
// default".
bool has_default(const Settings::Known& takes);

// A part that can be chosen by name in a section, with its keys other than `name`.
struct ExperimentPart {
  std::string_view section;  // dataset, booster, weak, sampler
  std::string_view name;
  std::string_view summary;
  std::vector<ExperimentKey> keys;
};

// All parts in the order of the tables: data sets, boosters, weak learners and samplers.
std::vector<ExperimentPart> experiment_parts();
// The texts that a value may be, the default first. Numbers, files and names are not listed.
std::vector<std::string> literal_values(const Settings::Known& takes);
// A text of what each key takes, the default first: "rounds: 100, loss: exponential|logistic|savage,
// features: auto|N".
std::string keys_in_a_line(std::span<const ExperimentKey> keys);

// The keys of the file that are single values: seed, runs, ...
std::vector<ExperimentKey> experiment_value_keys();

// All keys as sections of Markdown with a table each, as in docs/experiment-file.md.
std::string experiment_key_tables();

}  // namespace mash
