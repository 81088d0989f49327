// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/held_settings.hpp"

#include <gmock/gmock.h>

#include <set>
#include <stdexcept>

#include "framework/operations/experiment/keys.hpp"

namespace mash {
namespace {

Experiment read(const std::string& yaml) {
  auto experiment = parse_experiment(yaml, "e.yaml", {});
  if (!experiment.ok()) throw std::runtime_error(experiment.error().message);
  return *std::move(experiment);
}

std::string held(const std::string& part) {
  return held_text(read(part.starts_with("dataset") ? part : "dataset: digits\n" + part));
}

// Keys that are looked at beside another one only.
const std::set<std::string_view> kBesideOthers{"gamma",          "draws", "cost_seed", "kappa",
                                               "uses_per_setup", "drawn", "step_on",   "uniform_weights"};

TEST(HeldSettings, DefaultsWrittenOutAreDefaultsLeftOut) {
  std::size_t num_keys = 0;
  for (const ExperimentPart& part : experiment_parts())
    for (const ExperimentKey& key : part.keys) {
      if (!has_default(key.takes) || kBesideOthers.contains(key.takes.key)) continue;
      std::string alone = fmt::format("{}:\n  name: {}\n", part.section, part.name);
      for (const ExperimentKey& other : part.keys)
        if (other.required) alone += fmt::format("  {}: x\n", other.takes.key);
      if (key.takes.key == "resize.mode") alone += "  resize: 64\n";
      if (key.takes.key == "test_skip_lines") alone += "  test_path: y\n";
      EXPECT_EQ(held(alone + fmt::format("  {}: '{}'\n", key.takes.key, key.takes.fallback)), held(alone))
          << part.name << ": " << key.takes.key;
      ++num_keys;
    }
  EXPECT_GT(num_keys, 100u);
}

TEST(HeldSettings, AreEqualForTextsThatMeanTheSame) {
  const std::pair<const char*, const char*> same[] = {
      {"sampler: laminating", "sampler: {name: laminating, budget: 10}"},
      {"sampler: {name: laminating, budget: 5}", "sampler: {budget: '5.0', name: laminating}"},
      {"sampler: {name: laminating, budget: 50}", "sampler: {name: laminating, budget: 5e1}"},
      {"booster: {name: adaboost.mh, rounds: 10}", "booster: {name: adaboost.mh, rounds: '010'}"},
      {"sampler: ucb", "sampler: {name: ucb, scale: 1.0}"},
      {"sampler: {name: ucb, arms: feature}", "sampler: {name: ucb, arms: feature, pull_all_first: true}"},
      {"booster: {name: reservoir, size: 100}", "booster: {name: reservoir, size: 100, fresh: 100}"},
      {"booster: {name: budgeted, costs: 2}", "booster: {name: budgeted, costs: 2.0}"},
      {"classifier: ridge", "classifier: {name: ridge, lambda: [1e-2, .1, 1, 10, 100, 1000, 1e4, 1e5]}"},
      {"dataset: {name: mnist, train: 0.80}", "dataset: {name: mnist, train: 0.8}"},
      {"dataset: {name: mnist, train: 030 per class}", "dataset: {name: mnist, train: 30 per class}"},
      {"dataset: {name: folder, resize: 64}", "dataset: {name: folder, resize: {width: 64, height: 64}}"},
      {"dataset: {name: folder, resize: 64}", "dataset: {name: folder, resize: {height: 64, mode: stretch}}"},
      {"dataset: {name: folder, channels: grey}", "dataset: {name: folder, channels: 1}"},
      {"dataset: {name: csv, path: x, ignore: [a, b]}", "dataset: {name: csv, path: x, ignore: 'b,a'}"},
      {"dataset: {name: csv, path: x, label: -1}", "dataset: {name: csv, path: x, label: last}"},
      {"dataset: {name: csv, path: x, label: 0}", "dataset: {name: csv, path: x, label: first}"},
      {"dataset: {name: csv, path: x, test_path: y, skip_lines: 2}",
       "dataset: {name: csv, path: x, test_path: y, skip_lines: 2, test_skip_lines: 2}"},
  };
  for (const auto& [first, second] : same) EXPECT_EQ(held(first), held(second)) << second;
}

TEST(HeldSettings, DifferWhereTheMeaningDoes) {
  const std::pair<const char*, const char*> others[] = {
      {"sampler: laminating", "sampler: {name: laminating, budget: 5}"},
      {"sampler: ucb", "sampler: {name: ucb, scale: tuned}"},
      {"sampler: {name: ucb, arms: feature}", "sampler: {name: ucb, arms: feature, pull_all_first: false}"},
      {"sampler: laminating", "sampler: laminating.nested"},
      {"dataset: {name: mnist, train: 1}", "dataset: {name: mnist, train: 1.0}"},
      {"dataset: {name: folder, resize: 64}", "dataset: {name: folder, resize: {width: 64, mode: fit}}"},
      {"dataset: {name: csv, path: x, missing: ['a,b']}", "dataset: {name: csv, path: x, missing: [a, b]}"},
      {"dataset: {name: csv, path: x, missing: ['']}", "dataset: {name: csv, path: x, missing: ['?']}"},
  };
  for (const auto& [first, second] : others) EXPECT_NE(held(first), held(second)) << second;
}

TEST(HeldSettings, AreAsWrittenWhereThePartCannotBeRead) {
  const NamedSettings of_another_version =
      read("dataset: digits\nsampler: {name: forgotten, share: 0.50}").sampler;
  ASSERT_EQ(held_settings("sampler", of_another_version).size(), 1u);
  EXPECT_EQ(held_settings("sampler", of_another_version)[0].value, "0.50");
}

TEST(MeanTheSame, LooksAtHeuristicsSeedsAndRunsToo) {
  const Experiment one = read("dataset: digits\nheuristics: [lbp, hog]\nseed: 1\n");
  EXPECT_TRUE(
      mean_the_same(one, read("dataset: {name: digits}\nheuristics: [hog, lbp]\nsampler: laminating\n")));
  for (const char* other : {"dataset: digits\nheuristics: [lbp]\n", "dataset: digits\n",
                            "dataset: digits\nheuristics: [lbp, hog]\nseed: 2\n",
                            "dataset: digits\nheuristics: [lbp, hog]\nruns: 2\n"})
    EXPECT_FALSE(mean_the_same(one, read(other))) << other;
}

}  // namespace
}  // namespace mash
