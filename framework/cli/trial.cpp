// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/trial.hpp"

#include <algorithm>
#include <numeric>

#include "framework/cli/heuristic_compile.hpp"
#include "framework/cli/recipes.hpp"
#include "framework/dataset/data_path.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

// Half the budget of a full run trains as well as all of it in as many rounds, in half the time.
constexpr std::string_view kDefaultExperiment = R"yaml(
dataset: {name: mnist}
heuristics: all
booster: {name: adaboost.mh}
weak: {name: stump}
sampler: {name: laminating, budget: 5, features: 128}
)yaml";
constexpr std::string_view kDefaultName = "heuristic-try";

// What has an option here would be kept silently from a user who sets it too.
Status check_overrides(std::span<const std::string> overrides, const Experiment& experiment) {
  for (const std::string& text : overrides)
    if (text.starts_with("runs=")) return input_error("--set {}: expected the option --seeds", text);
  for (const auto& entry : experiment.booster.settings.entries())
    if (entry.key == "rounds" && entry.where.starts_with("--set "))
      return input_error("{}: expected the option --rounds", entry.where);
  return Done{};
}

// Whether the user means a file and not an id.
bool is_file(const std::string& argument) {
  return is_source(argument) || fs::path(argument).extension() == ".so";
}

// The plugin to load for a file that the user named; a source is compiled. Errors: those of
// compile_heuristic.
Result<fs::path> plugin_of(const fs::path& argument, bool quiet) {
  if (!is_source(argument)) return argument;
  MASH_ASSIGN(const HeuristicSource source, find_heuristic_source(argument));
  MASH_ASSIGN(const CompiledHeuristic compiled, compile_heuristic(source, {}, false));
  if (!quiet) fmt::print(stderr, "{}", compiled.warnings);
  return compiled.plugins.front();
}

// The heuristic of the catalogue that is to be tried. plugin: where it came from; empty for an id.
Result<const HeuristicInfo*> find_tried(const Catalogue& catalogue, const std::string& id,
                                        const fs::path& plugin) {
  if (plugin.empty()) return catalogue.find(id);
  std::vector<const HeuristicInfo*> inside;
  std::vector<std::string> ids;
  std::error_code code;
  for (const HeuristicInfo& info : catalogue.heuristics())
    if (fs::equivalent(info.plugin, plugin, code)) {
      inside.push_back(&info);
      ids.push_back(info.id);
    }
  if (inside.size() == 1) return inside[0];
  return input_error(
      "{}: has {} heuristics ({}), expected one; name one of them by its id, and the file with "
      "--heuristics",
      plugin.string(), inside.size(), fmt::join(ids, ", "));
}

Result<Experiment> named_experiment(const std::string& name, std::span<const std::string> overrides) {
  std::error_code code;
  std::vector<std::string_view> known;
  for (const Recipe& recipe : recipes()) {
    if (recipe.name == name && !fs::exists(name, code))
      return parse_experiment(std::string(recipe.text), fmt::format("experiments/{}.yaml", name), overrides);
    known.push_back(recipe.name);
  }
  if (!fs::exists(name, code) && fs::path(name).extension().empty())
    return unknown_name("experiment", name, known).at("--against");
  return read_experiment(name, overrides);
}

// The experiment to try it in, without the heuristic where that is named by nobody yet.
Result<Experiment> experiment_of(const TrialOptions& options) {
  Experiment experiment;
  if (options.against.empty()) {
    MASH_ASSIGN(experiment, parse_experiment(std::string(kDefaultExperiment), std::string(kDefaultName),
                                             options.run.overrides));
  } else {
    MASH_ASSIGN(experiment, named_experiment(options.against, options.run.overrides));
  }
  MASH_TRY(check_overrides(options.run.overrides, experiment));
  const bool by_default =
      options.dataset.empty() && options.against.empty() && !experiment.dataset.where.starts_with("--set ");
  if (by_default && !is_at_hand("mnist")) experiment.dataset.name = "digits";
  if (!options.dataset.empty() && options.dataset != experiment.dataset.name) {
    Settings given;  // those in the file were the former one's
    for (const auto& entry : experiment.dataset.settings.entries())
      if (entry.where.starts_with("--set ")) given.add(entry.key, entry.value, entry.where);
    experiment.dataset = {options.dataset, std::move(given), "--dataset"};
  }
  experiment.booster.settings.add("rounds", std::to_string(options.rounds), "--rounds");
  experiment.runs = options.seeds;
  if (options.run.seed) experiment.seed = *options.run.seed;
  return experiment;
}

// The places of the families of a heuristic. Errors (kInput): it was left out, with the reason.
Result<FamilyGroup> families_of(const HeuristicInfo& heuristic, const FeatureSet& features) {
  FamilyGroup group{heuristic.id, {}};
  for (std::size_t k = 0; k < features.num_families(); ++k)
    if (features.families()[k].spec.heuristic.id == heuristic.id) group.families.push_back(k);
  if (!group.families.empty()) return group;
  for (const std::string& reason : features.left_out())
    if (reason.find(heuristic.id) != std::string::npos) return input_error("{}", reason);
  return input_error("heuristic {}: has no features here", heuristic.id);
}

// Adds the heuristic where the experiment lists others only.
void add_tried(const HeuristicInfo& heuristic, Experiment& experiment) {
  const auto is_tried = [&](const NamedSettings& named) { return named.name == heuristic.id; };
  if (!experiment.all_heuristics &&
      std::none_of(experiment.heuristics.begin(), experiment.heuristics.end(), is_tried))
    experiment.heuristics.push_back({heuristic.id, {}, "the heuristic to try"});
}

}  // namespace

std::string describe(const NamedSettings& part) {
  std::string text = part.name;
  for (const auto& entry : part.settings.entries()) text += fmt::format(", {} {}", entry.key, entry.value);
  return text;
}

void TrialOptions::add_to(CLI::App& app) {
  app.add_option("--against", against,
                 "Experiment whose heuristics are the pool and whose settings are used: a file, or a name of "
                 "experiments/ [all heuristics, laminating]")
      ->type_name("EXPERIMENT");
  app.add_option("--dataset", dataset, "Data set [mnist where it is found, else the generated digits]")
      ->type_name("NAME");
  app.add_option("--rounds", rounds, "Rounds of each training")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  app.add_option("--seeds", seeds, "Seeds that every set of families is trained with")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  run.add_to(app);
  app.remove_option(app.get_option("--model"));  // there are many, of which none is the user's
}

Result<std::unique_ptr<Trial>> Trial::make(const TrialOptions& options, Progress& progress) {
  const Stopwatch watch;
  std::unique_ptr<Trial> trial(new Trial{options});
  RunOptions& run = trial->run = options.run;
  Experiment& experiment = trial->experiment;
  MASH_ASSIGN(experiment, experiment_of(options));
  MASH_TRY(check_subsets(experiment));
  fs::path plugin;
  if (is_file(options.heuristic)) {
    MASH_ASSIGN(plugin, plugin_of(options.heuristic, options.run.output.quiet));
    run.catalogue.heuristics.insert(run.catalogue.heuristics.begin(), plugin.string());
  }
  MASH_ASSIGN(Catalogue catalogue, run.catalogue.open());
  MASH_ASSIGN(const HeuristicInfo* found, find_tried(catalogue, options.heuristic, plugin));
  trial->heuristic = *found;
  add_tried(trial->heuristic, experiment);
  MASH_ASSIGN(trial->data, ExperimentData::open(experiment, run, std::move(catalogue), progress));
  ExperimentData& data = *trial->data;
  if (data.dataset().is_table())
    return input_error("data set {}: is a table, expected images for a heuristic to look at",
                       experiment.dataset.name)
        .at(experiment.dataset.where);
  MASH_ASSIGN(trial->newcomer, families_of(trial->heuristic, data.features()));

  trial->settings.seeds.resize(options.seeds);
  std::iota(trial->settings.seeds.begin(), trial->settings.seeds.end(), experiment.seed);
  MASH_ASSIGN(
      SubsetTrainer trainer,
      SubsetTrainer::make({experiment, data.dataset(), data.features(), data.workers(), data.records(),
                           progress, data.stop(), store_folder(run.store) / "models", run.strict}));
  trial->trainer.emplace(std::move(trainer));
  MASH_ASSIGN(trial->analysis, newcomer_contribution(*trial->trainer, trial->newcomer, trial->settings));
  trial->summarise(watch);
  return trial;
}

void Trial::summarise(const Stopwatch& watch) {
  summary.contribution = analysis.contribution;
  summary.heuristic = heuristic.id;
  summary.version = heuristic.version;
  const FeatureSet& features = data->features();
  summary.settings = features.families()[newcomer.families[0]].spec.settings;
  summary.experiment = experiment.name;
  summary.dataset = data->dataset().name;
  summary.num_train = data->dataset().train.num_examples;
  summary.num_test = data->dataset().test.num_examples;
  summary.class_names = data->dataset().class_names;
  summary.rounds = options.rounds;
  summary.seeds = settings.seeds;
  summary.sampler = describe(experiment.sampler);
  for (std::size_t k = 0; k < features.num_families(); ++k)
    if (features.families()[k].spec.heuristic.id != heuristic.id)
      summary.pool_microseconds.push_back(features.families()[k].microseconds_per_image);
  summary.warnings = data->warnings();
  summary.extract_seconds = features.extract_seconds();
  summary.num_trained = trainer->num_trained();
  summary.num_found = trainer->num_found();
  summary.seconds = watch.seconds();
}

}  // namespace mash
