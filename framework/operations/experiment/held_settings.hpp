// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/operations/experiment/experiment.hpp"

// Settings as they hold, in a spelling that all texts of their meaning share: a default that is written out
// is one that is left out, `1e1` is 10, and `3` channels are `rgb`.
namespace mash {

struct HeldSetting {
  std::string key;
  std::string value;  // "" where there is none
  bool is_default = false;
};

// All keys of a part, in their order. section: "booster". Where the part cannot be read, as from the records
// of another version of the program, its settings as they are written.
std::vector<HeldSetting> held_settings(std::string_view section, const NamedSettings& part);

// All settings of an experiment as they hold, those that differ between its runs left out. The name of a part
// is "sampler.name", its settings are "sampler.budget", in the order of their keys. `heuristics` is "all" or
// a list of them with the settings that were given.
std::vector<HeldSetting> held_settings(const Experiment& experiment);

// The work of an experiment's runs without their heuristics: the data set and the learner with its parts,
// without defaults. Equal for experiments that mean the same. No YAML that is read again.
std::string held_text(const Experiment& experiment);

// Whether two experiments mean the same, seeds and numbers of runs included. Heuristics are compared as they
// are written.
bool mean_the_same(const Experiment& first, const Experiment& second);

}  // namespace mash
