// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/strategies.hpp"

#include <fmt/ranges.h>

namespace mash {

Result<Strategies> make_strategies(const Experiment& experiment) {
  Strategies strategies;
  Settings booster = experiment.booster.settings, sampler = experiment.sampler.settings,
           weak = experiment.weak.settings;
  const auto booster_row = find_booster(experiment.booster.name);
  if (!booster_row.ok()) return booster_row.error().at(experiment.booster.where);
  MASH_ASSIGN(strategies.booster, (*booster_row)->make(booster));
  MASH_TRY(booster.finish("booster " + experiment.booster.name));

  const auto sampler_row = find_sampler(experiment.sampler.name);
  if (!sampler_row.ok()) return sampler_row.error().at(experiment.sampler.where);
  if (is_tuned((*sampler_row)->tuning, sampler)) sampler.erase((*sampler_row)->tuning.key);
  MASH_ASSIGN(strategies.search.sampler, (*sampler_row)->make(sampler));
  MASH_TRY(sampler.finish("sampler " + experiment.sampler.name));

  const auto weak_row = find_weak_learner(experiment.weak.name);
  if (!weak_row.ok()) return weak_row.error().at(experiment.weak.where);
  MASH_ASSIGN(strategies.search.weak, (*weak_row)->make(weak));
  MASH_TRY(weak.finish("weak learner " + experiment.weak.name));
  if (const Status usable = strategies.booster->check(*strategies.search.weak); !usable.ok())
    return usable.error().at(experiment.weak.where);
  return strategies;
}

Status check_endless(const Experiment& experiment, const Booster& booster, const Dataset& dataset) {
  if (!dataset.train.is_endless() || booster.takes_endless()) return Done{};
  std::vector<std::string_view> names;
  for (const auto& row : builtin_boosters()) {
    Settings defaults;
    if (const auto made = row.make(defaults); made.ok() && (*made)->takes_endless())
      names.push_back(row.name);
  }
  return input_error("booster {}: found training data without end (endless: true), expected one of {}",
                     experiment.booster.name, fmt::join(names, ", "))
      .at(experiment.booster.where);
}

bool is_tuned(const Tuning& tuning, const Settings& settings) {
  if (tuning.key.empty()) return false;
  const auto value = settings.peek(tuning.key);
  return value ? *value == kTuned : tuning.by_default;
}

}  // namespace mash
