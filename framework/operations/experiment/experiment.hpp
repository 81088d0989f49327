// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/base/error_list.hpp"
#include "framework/base/settings.hpp"
#include "framework/isolation/isolation.hpp"
#include "framework/operations/experiment/recipes.hpp"

namespace mash {

// A part of an experiment that is chosen by name, with its settings: {name: laminating, budget: 10}.
struct NamedSettings {
  std::string name;
  Settings settings;
  std::string where;              // of the name
  Origin origin = Origin::kFile;  // of the name
};

// Settings that hold in place of an experiment's own.
struct Overrides {
  std::vector<std::string> texts = {};  // "key.sub=value" each
  std::string called = "override";      // what errors call one, as its giver knows it: "CALLED key.sub=value"
};

// An experiment file, read but not yet checked against what datasets, heuristics and strategies exist.
struct Experiment {
  std::string name;  // the file's, without folder and ending
  std::string file;  // as errors name it
  NamedSettings dataset;
  bool all_heuristics = true;
  std::vector<NamedSettings> heuristics;  // where not all: one per family; the name is the id
  NamedSettings booster, weak, sampler;
  std::uint64_t seed = 1;
  std::uint32_t runs = 1;
  Isolation isolation = Isolation::kByOrigin;  // of the heuristics' code; no result depends on it
  std::uint32_t patience = 1;                  // PluginPlaces::patience
};

// An experiment as far as it could be read, and what is wrong with the rest.
struct ExperimentDraft {
  Experiment experiment;
  ErrorList errors;
};
// As read_experiment and parse_experiment. Errors (kInput): no such file or name; not YAML.
Result<ExperimentDraft> draft_experiment(const std::filesystem::path& path, const Overrides& overrides);
Result<ExperimentDraft> draft_experiment(const std::string& text, const std::string& file,
                                         const Overrides& overrides);

// Reads an experiment (docs/experiment-file.md): a file or, where there is none of this path, the one of
// experiments/ that has the name, as in "demo".
// Errors (kInput): no such file or name; not YAML; or all unknown and repeated keys and wrong types, each
// with file, line and column.
Result<Experiment> read_experiment(const std::filesystem::path& path, const Overrides& overrides);
Result<Experiment> parse_experiment(const std::string& text, const std::string& file,
                                    const Overrides& overrides);
Result<Experiment> parse_recipe(const Recipe& recipe, const Overrides& overrides);

// The experiment of a file that says nothing; it has no data set.
Experiment default_experiment();
// The keys of an experiment that are values, and what they take: seed, runs, ...
std::vector<Settings::Known> experiment_values();

// "laminating, budget 5, features 128"
std::string describe_part(const NamedSettings& part);

// The experiment as YAML with all that was said, in a fixed order: equal for equal experiments.
std::string to_yaml(const Experiment& experiment);

}  // namespace mash
