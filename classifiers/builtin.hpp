// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classifiers/boosters/loop/booster.hpp"
#include "classifiers/losses/loss.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// A setting that may be left to training itself: each value is tried for a whole run, and the one with the
// smallest final training loss is kept (Dubout & Fleuret 2014, section 6.4).
struct Tuning {
  std::string_view key;  // empty: nothing can be tuned
  std::vector<std::string> (*values)(const FeatureSet& features) = nullptr;
  bool by_default = false;  // tuned where the user says nothing
};
inline constexpr std::string_view kTuned = "tuned";  // what the user writes as the setting's value

// One row of a table of built-in parts: everything that a user or a contract test needs to know of it.
// Part: what `make` gives, a value that any number of runs may use.
// Given: what `make` is given beside the settings.
template <class Part, class... Given>
struct Builtin {
  std::string_view name;
  std::string_view summary;                                  // one line, with the citation
  Result<Part> (*make)(Settings& settings, Given... given);  // reads its keys; the caller refuses the rest
  Tuning tuning = {};
  // For boosters and samplers: a training of more rounds begins with that of fewer, hypotheses, costs and
  // all, to the bit. A sampler of which a setting is tuned keeps nothing.
  bool keeps_prefix = false;
};
inline constexpr bool kKeepsPrefix = true;
using LearnerRow = Builtin<std::unique_ptr<const Learner>>;  // of those that are no boosters
using BoosterRow = Builtin<std::unique_ptr<const Booster>, SearchParts>;
using SamplerRow = Builtin<SamplerFactory>;
using WeakLearnerRow = Builtin<std::unique_ptr<const WeakLearner>>;

// All features, and stumps: what a booster is made with where its settings alone are of interest.
SearchParts plain_search();
// The part of a row by its settings alone: a booster has a plain search.
template <class Part, class... Given>
Result<Part> make_plain(const Builtin<Part, Given...>& row, Settings& settings) {
  if constexpr (sizeof...(Given) > 0)
    return row.make(settings, plain_search());
  else
    return row.make(settings);
}

// Each in the order of the names.
std::span<const LearnerRow> builtin_learners();
std::span<const BoosterRow> builtin_boosters();
std::span<const LossRow> builtin_losses();
std::span<const SamplerRow> builtin_samplers();
std::span<const WeakLearnerRow> builtin_weak_learners();

// The row of that name. Errors (kInput): unknown; lists the known ones.
Result<const LearnerRow*> find_learner(std::string_view name);
Result<const BoosterRow*> find_booster(std::string_view name);
Result<const SamplerRow*> find_sampler(std::string_view name);
Result<const WeakLearnerRow*> find_weak_learner(std::string_view name);

}  // namespace mash
