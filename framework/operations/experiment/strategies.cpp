// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/strategies.hpp"

#include <fmt/ranges.h>

#include "framework/base/require.hpp"

namespace mash {
namespace {

// The boosters that have this trait with their defaults.
std::vector<std::string_view> boosters_with(bool LearnerTraits::*trait) {
  std::vector<std::string_view> names;
  for (const BoosterRow& row : builtin_boosters()) {
    Settings defaults;
    if (const auto made = make_plain(row, defaults); made.ok() && (*made)->traits().*trait)
      names.push_back(row.name);
  }
  return names;
}

}  // namespace

Result<SearchParts> make_search(const Experiment& experiment) {
  SearchParts search;
  Settings sampler = experiment.sampler.settings, weak = experiment.weak.settings;
  const auto sampler_row = find_sampler(experiment.sampler.name);
  if (!sampler_row.ok()) return sampler_row.error().at(experiment.sampler.where);
  if (is_tuned((*sampler_row)->tuning, sampler)) sampler.erase((*sampler_row)->tuning.key);
  MASH_ASSIGN(search.sampler, (*sampler_row)->make(sampler));
  MASH_TRY(sampler.finish("sampler " + experiment.sampler.name));

  const auto weak_row = find_weak_learner(experiment.weak.name);
  if (!weak_row.ok()) return weak_row.error().at(experiment.weak.where);
  MASH_ASSIGN(search.weak, (*weak_row)->make(weak));
  MASH_TRY(weak.finish("weak learner " + experiment.weak.name));
  return search;
}

Result<std::shared_ptr<const Booster>> make_booster(const Experiment& experiment, SearchParts search) {
  Settings settings = experiment.booster.settings;
  const auto row = find_booster(experiment.booster.name);
  if (!row.ok()) return row.error().at(experiment.booster.where);
  MASH_ASSIGN(std::shared_ptr<const Booster> booster, (*row)->make(settings, std::move(search)));
  MASH_TRY(settings.finish("booster " + experiment.booster.name));
  if (const Status usable = booster->check(*booster->search().weak); !usable.ok()) {
    const Error error = usable.error().at(fmt::format("weak learner {}", experiment.weak.name));
    return experiment.weak.where.empty() ? error : error.at(experiment.weak.where);  // empty: not in the file
  }
  return booster;
}

Result<std::shared_ptr<const Learner>> make_learner(const Experiment& experiment) {
  if (experiment.has_booster()) {
    MASH_ASSIGN(SearchParts search, make_search(experiment));
    MASH_ASSIGN(std::shared_ptr<const Learner> learner, make_booster(experiment, std::move(search)));
    return learner;
  }
  Settings settings = experiment.classifier.settings;
  const auto row = find_learner(experiment.classifier.name);
  if (!row.ok()) return row.error().at(experiment.classifier.where);
  MASH_ASSIGN(std::shared_ptr<const Learner> learner, (*row)->make(settings));
  MASH_TRY(settings.finish("classifier " + experiment.classifier.name));
  return learner;
}

Status check_endless(const Experiment& experiment, const Learner& learner, const Dataset& dataset) {
  if (!dataset.train.is_endless() || learner.traits().takes_endless) return Done{};
  const auto names = boosters_with(&LearnerTraits::takes_endless);
  return input_error("{} {}: found training data without end (endless: true), expected {} {}",
                     experiment.learner_key(), experiment.learner().name,
                     experiment.has_booster() ? "one of" : "a booster:", fmt::join(names, ", "))
      .at(experiment.learner().where);
}

Status check_weighing(const Experiment& experiment, const Learner& learner) {
  if (learner.traits().weighs_examples) return Done{};
  return input_error(
             "{} {}: found examples of different weights, expected one of {}, or a classifier that is "
             "no booster",
             experiment.learner_key(), experiment.learner().name,
             fmt::join(boosters_with(&LearnerTraits::weighs_examples), ", "))
      .at(experiment.learner().where);
}

Tuning tuning_of(const Experiment& experiment) {
  if (!experiment.has_booster()) return {};
  const auto row = find_sampler(experiment.sampler.name);
  require(row.ok(), "tuning_of: a known sampler");
  return is_tuned((*row)->tuning, experiment.sampler.settings) ? (*row)->tuning : Tuning();
}

bool keeps_prefix(const Experiment& experiment) {
  if (!experiment.has_booster()) return false;
  const auto booster = find_booster(experiment.booster.name);
  const auto sampler = find_sampler(experiment.sampler.name);
  require(booster.ok() && sampler.ok(), "keeps_prefix: known parts");
  return (*booster)->keeps_prefix && (*sampler)->keeps_prefix && tuning_of(experiment).key.empty();
}

bool is_tuned(const Tuning& tuning, const Settings& settings) {
  if (tuning.key.empty()) return false;
  const auto value = settings.peek(tuning.key);
  return value ? *value == kTuned : tuning.by_default;
}

}  // namespace mash
