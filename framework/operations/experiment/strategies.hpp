// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/builtin.hpp"
#include "classifiers/learners/learner.hpp"
#include "framework/operations/experiment/experiment.hpp"

namespace mash {

// Makes the sampler and the weak learner of an experiment. A setting that will be tuned is left at its
// default. Errors (kInput): an unknown name or setting, with its place.
Result<SearchParts> make_search(const Experiment& experiment);

// Makes the learner of an experiment. It is a value, for any number of trainings. Errors (kInput):
// as make_search; a weak learner that the booster cannot use.
Result<std::shared_ptr<const Learner>> make_learner(const Experiment& experiment);
// Makes the booster of an experiment that names one, with this search in the place of the experiment's own.
Result<std::shared_ptr<const Booster>> make_booster(const Experiment& experiment, SearchParts search);

// Whether a training of more rounds begins with that of fewer: booster and sampler keep their prefix, and
// nothing is tuned. REQUIRES: the parts of the experiment are known.
bool keeps_prefix(const Experiment& experiment);

// Checks that the data suit the learner. Errors (kInput): the training data are endless and the learner has
// to see all of them; the message names the learners that do not.
Status check_endless(const Experiment& experiment, const Learner& learner, const Dataset& dataset);

// Checks that the learner can train on examples of different weights. Errors (kInput): it cannot; the message
// names those that can.
Status check_weighing(const Experiment& experiment, const Learner& learner);

// Whether this setting of a sampler has to be found by whole trainings.
bool is_tuned(const Tuning& tuning, const Settings& settings);
// The setting of the experiment's sampler that has to be found in this way; without a key where there is
// none. REQUIRES: its sampler is known.
Tuning tuning_of(const Experiment& experiment);

// Checks the settings of one row of the tables of classifiers/builtin.hpp. In the result, `problems` are all
// errors in them, and `known` are the keys of the row. whose: "sampler laminating".
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
