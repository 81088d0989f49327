// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
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

// Settings that replace an experiment's own.
struct Overrides {
  std::vector<std::string> texts = {};  // "key.sub=value" each
  std::string called = "override";      // what errors call one, as its giver knows it: "CALLED key.sub=value"
};

// An experiment file, read but not yet checked against what datasets, heuristics and strategies exist.
struct Experiment {
  std::string name;  // the file's, without folder and ending
  std::string file;  // as errors name it
  NamedSettings dataset;
  bool all_heuristics = true;             // one family for each that is found, beside `heuristics`
  bool asks_for_heuristics = false;       // the key `heuristics` is there
  std::vector<NamedSettings> heuristics;  // that are listed, one per family; the name is the id
  NamedSettings booster, weak, sampler;
  NamedSettings classifier;  // a learner that is no booster, instead of these three; no name: none
  std::uint64_t seed = 1;
  std::uint32_t runs = 1;
  Isolation isolation = Isolation::kByOrigin;  // of the heuristics' code; no result depends on it
  std::uint32_t patience = 1;                  // PluginPlaces::patience
  // A line for each override that chose another part, about the settings of the file that went with it.
  std::vector<std::string> dropped = {};

  bool has_booster() const { return classifier.name.empty(); }
  // The part that names the learner, and the key of that part.
  const NamedSettings& learner() const { return has_booster() ? booster : classifier; }
  const char* learner_key() const { return has_booster() ? "booster" : "classifier"; }
};

// An experiment as far as it could be read, and the errors in the rest.
struct ExperimentDraft {
  Experiment experiment;
  ErrorList errors;
};
// As read_experiment and parse_experiment. Errors (kInput): no such file or name; not YAML.
Result<ExperimentDraft> draft_experiment(const std::filesystem::path& path, const Overrides& overrides);
Result<ExperimentDraft> draft_experiment(const std::string& text, const std::string& file,
                                         const Overrides& overrides);

// Reads an experiment (docs/experiment-file.md). Where there is no file at this path, it is a name of an
// experiment in experiments/, such as "demo". Errors (kInput): there is no such file or name; it is not YAML;
// or a list of all unknown keys, repeated keys and wrong types, each with file, line and column.
Result<Experiment> read_experiment(const std::filesystem::path& path, const Overrides& overrides);
Result<Experiment> parse_experiment(const std::string& text, const std::string& file,
                                    const Overrides& overrides);
Result<Experiment> parse_recipe(const Recipe& recipe, const Overrides& overrides);

// The experiment of an empty file; it has no data set.
Experiment default_experiment();
// Checks that the experiment trains a booster. purpose: why a booster is needed, for the error. Errors
// (kInput): it names a classifier; the message gives the place.
Status check_has_booster(const Experiment& experiment, std::string_view purpose);
// The experiment with these settings in the place of its own. Errors (kInput): those of parse_experiment.
Result<Experiment> with_overrides(Experiment experiment, const Overrides& overrides);
// The keys of an experiment that are single values (seed, runs, ...), and the values that they take.
std::vector<Settings::Known> experiment_values();

// Puts the names of the learner and its parts into a document: learner and, where it is a booster, booster,
// sampler and weak.
void put_learner(const Experiment& experiment, nlohmann::ordered_json& json);
// "laminating, budget 5, features 128"
std::string describe_part(const NamedSettings& part);

// The settings of its data set. Digits of USPS are pictures where heuristics are asked for, else columns.
Settings dataset_settings(const Experiment& experiment);

// The experiment as YAML, with all settings that were given, in a fixed order. Equal experiments give equal
// texts.
std::string to_yaml(const Experiment& experiment);

}  // namespace mash
