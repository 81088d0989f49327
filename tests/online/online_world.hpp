// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "classifiers/online/online_booster.hpp"
#include "classifiers/online/rows.hpp"
#include "framework/base/random.hpp"

namespace mash::testing {

struct SignedExample {
  std::vector<float> x;  // by feature
  int sign = 1;
};

using Assignments = std::vector<std::pair<std::string, std::string>>;

inline Settings settings_of(const Assignments& assignments) {
  Settings settings;
  for (const auto& [key, value] : assignments) settings.add(key, value, "test.yaml:1");
  return settings;
}

// The factory of a row, or the error of its settings.
inline Result<OnlineFactory> factory_of(std::string_view name, const Assignments& assignments) {
  MASH_ASSIGN(const OnlineRow* row, find_online_booster(name));
  Settings settings = settings_of(assignments);
  MASH_ASSIGN(OnlineFactory factory, row->make(settings));
  MASH_TRY(settings.finish(name));
  return factory;
}

inline std::unique_ptr<OnlineBooster> booster_of(std::string_view name, const Assignments& assignments,
                                                 const OnlineTask& task) {
  auto factory = factory_of(name, assignments);
  EXPECT_TRUE(factory.ok()) << factory.error().message;
  auto booster = (*factory)(task);
  EXPECT_TRUE(booster.ok()) << booster.error().message;
  return *std::move(booster);
}

// Values that a booster wants to know of an example.
inline std::vector<float> wanted(const OnlineBooster& booster, const std::vector<float>& x) {
  std::vector<float> values;
  for (const std::uint32_t feature : booster.features()) values.push_back(x.at(feature));
  return values;
}

inline double score_of(const OnlineBooster& booster, const std::vector<float>& x) {
  return booster.score(wanted(booster, x));
}

inline void show(OnlineBooster& booster, const SignedExample& example, double weight = 1) {
  booster.learn(wanted(booster, example.x), example.sign, weight);
}

// Examples of `num_features` normal numbers, whose sign is that of the first two's sum more often than not.
inline std::vector<SignedExample> noisy_examples(std::size_t count, std::size_t num_features,
                                                 std::uint64_t seed) {
  RandomStream stream(seed, "test.examples");
  std::vector<SignedExample> examples(count);
  for (SignedExample& example : examples) {
    for (std::size_t j = 0; j < num_features; ++j) example.x.push_back(float(stream.normal()));
    example.sign = double(example.x[0]) + double(example.x[1]) + stream.normal() > 0.3 ? 1 : -1;
  }
  return examples;
}

// A setting of a row under which it learns in tests as it does elsewhere, on fewer stumps.
struct TrialRow {
  std::string name;
  Assignments assignments;
};

inline std::vector<TrialRow> trial_rows() {
  const Assignments pools{{"selectors", "20"}, {"pool", "8"}};
  const auto with = [](Assignments assignments, Assignments more) {
    assignments.insert(assignments.end(), more.begin(), more.end());
    return assignments;
  };
  std::vector<TrialRow> rows{{"selectors", pools},
                             {"selectors", with(pools, {{"pools", "shared"}})},
                             {"osboost", {{"gamma", "0.3"}}},
                             {"oza-russell", {}},
                             {"oza-russell", {{"learners", "updated"}}},
                             {"oza-russell", {{"learners", "updated"}, {"draws", "poisson"}}}};
  for (const char* loss : {"exponential", "logistic", "savage"})
    for (const char* kind : {"own", "shared"})
      rows.push_back({"online-gradientboost", with(pools, {{"loss", loss}, {"pools", kind}})});
  for (const char* name : {"osboost.exp", "osboost.ocp"}) {
    rows.push_back({name, {}});
    rows.push_back({name, {{"gamma", "0.3"}, {"learners", "updated"}}});
  }
  return rows;
}

// Stumps as an offline booster might have found them: thresholds from -1 to 1 on the first two features.
inline std::vector<OnlineStump> started_learners() {
  std::vector<OnlineStump> learners;
  for (int i = -4; i <= 4; ++i)
    for (const std::uint32_t feature : {0u, 1u})
      learners.emplace_back(FeatureStump{feature, float(i) / 4, 1});
  return learners;
}

inline OnlineTask task_of(std::uint32_t num_features, std::uint64_t seed = 1) {
  return {seed, num_features, started_learners()};
}

}  // namespace mash::testing
