// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/builtin.hpp"
#include "classifiers/learners/learner.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// The sampler and the weak learner of an experiment. A setting that is to be tuned is left at its default.
// Errors (kInput): an unknown name or setting, with its place.
Result<SearchParts> make_search(const Experiment& experiment);

// The learner of an experiment, made from its names: a value, for any number of trainings. Errors (kInput):
// as make_search; a weak learner that the booster cannot use.
Result<std::shared_ptr<const Learner>> make_learner(const Experiment& experiment);
// The same of an experiment that names a booster, with this search in the place of its own.
Result<std::shared_ptr<const Booster>> make_booster(const Experiment& experiment, SearchParts search);

// Whether the data suit the learner. Errors (kInput): training data without end, and a learner that wants to
// see all of them; names those that do not.
Status check_endless(const Experiment& experiment, const Learner& learner, const Dataset& dataset);

// Whether that setting of a sampler is to be found by whole trainings.
bool is_tuned(const Tuning& tuning, const Settings& settings);
// The setting of the experiment's sampler that is to be found so; one without a key where there is none.
// REQUIRES: its sampler is known.
Tuning tuning_of(const Experiment& experiment);

// Looks at the settings of a row of the tables of classifiers/builtin.hpp alone: `problems` of what it gives
// are all that is wrong with them, `known` the keys of the row. whose: "sampler laminating".
template <class Row>
Settings check_settings(const Row& row, std::string_view whose, const Settings& settings) {
  Settings checked = settings.for_checking();
  if (is_tuned(row.tuning, checked)) checked.erase(row.tuning.key);
  const auto made = make_plain(row, checked);
  if (made.ok())
    (void)checked.finish(whose);
  else
    (void)checked.refuse(made.error());
  return checked;
}

}  // namespace mash
