// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/loop/booster.hpp"
#include "classifiers/builtin.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// The strategies of an experiment, made from their names: values, for any number of trainings. A setting that
// is to be tuned is left at its default.
struct Strategies {
  std::shared_ptr<const Booster> booster;
  SearchParts search;
};
// Errors (kInput): an unknown name or setting, with its place; a weak learner that the booster cannot use.
Result<Strategies> make_strategies(const Experiment& experiment);

// Whether the data suit the booster. Errors (kInput): training data without end, and a booster that wants to
// see all of them; names those that do not.
Status check_endless(const Experiment& experiment, const Booster& booster, const Dataset& dataset);

// Whether that setting of a sampler is to be found by whole trainings.
bool is_tuned(const Tuning& tuning, const Settings& settings);

// Looks at the settings of a row of the tables of builtin.hpp alone: `problems` of what it gives are all that
// is wrong with them, `known` the keys of the row. whose: "sampler laminating".
template <class Part>
Settings check_settings(const Builtin<Part>& row, std::string_view whose, const Settings& settings) {
  Settings checked = settings.for_checking();
  if (is_tuned(row.tuning, checked)) checked.erase(row.tuning.key);
  const Result<Part> made = row.make(checked);
  if (made.ok())
    (void)checked.finish(whose);
  else
    (void)checked.refuse(made.error());
  return checked;
}

}  // namespace mash
