// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/booster.hpp"
#include "classifiers/builtin.hpp"
#include "framework/operations/experiment.hpp"

namespace mash {

// The strategies of an experiment, made from their names: values, for any number of trainings. A setting that
// is to be tuned is left at its default.
struct Strategies {
  std::shared_ptr<const Booster> booster;
  SearchParts search;
};
// Errors (kInput): an unknown name or setting, with its place; a weak learner that the booster cannot use.
Result<Strategies> make_strategies(const Experiment& experiment);

// Whether that setting of a sampler is to be found by whole trainings.
bool is_tuned(const Tuning& tuning, const Settings& settings);

}  // namespace mash
