// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/run_experiment.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "classifiers/builtin.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/cli/machine.hpp"
#include "framework/records/records.hpp"

namespace mash {
namespace {

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::uint64_t(usage.ru_maxrss) * 1024;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The strategies of an experiment, made from their names.
struct Parts {
  BoosterSettings booster;
  std::unique_ptr<Sampler> sampler;
  std::unique_ptr<WeakLearner> weak;
};

Result<Parts> make_parts(const Experiment& experiment) {
  Parts parts;
  Settings booster = experiment.booster.settings, sampler = experiment.sampler.settings,
           weak = experiment.weak.settings;
  const auto booster_row = find_booster(experiment.booster.name);
  if (!booster_row.ok()) return booster_row.error().at(experiment.booster.where);
  MASH_ASSIGN(const auto booster_settings, (*booster_row)->make(booster));
  parts.booster = *booster_settings;
  MASH_TRY(booster.finish("booster " + experiment.booster.name));

  const auto sampler_row = find_sampler(experiment.sampler.name);
  if (!sampler_row.ok()) return sampler_row.error().at(experiment.sampler.where);
  MASH_ASSIGN(parts.sampler, (*sampler_row)->make(sampler));
  MASH_TRY(sampler.finish("sampler " + experiment.sampler.name));

  const auto weak_row = find_weak_learner(experiment.weak.name);
  if (!weak_row.ok()) return weak_row.error().at(experiment.weak.where);
  MASH_ASSIGN(parts.weak, (*weak_row)->make(weak));
  parts.booster.scan.cuts = parts.weak->cuts();
  MASH_TRY(weak.finish("weak learner " + experiment.weak.name));
  return parts;
}

// Equal for runs that must give the same model: what a checkpoint and an unfinished record belong to.
std::string run_key(const Experiment& experiment, std::uint64_t seed, const Dataset& dataset,
                    const FeatureSet& features) {
  Experiment one = experiment;
  one.seed = seed;
  one.runs = 1;
  Sha256 hash;
  hash.update(std::string(MASH_VERSION) + to_yaml(one) + dataset.fingerprint);
  for (const FamilyInfo& family : features.families())
    hash.update(fmt::format("{}|{}|{}|{}\n", family.spec.name, family.spec.settings,
                            family.spec.heuristic.plugin_sha256, family.lazy));
  return hash.hex();
}

std::filesystem::path store_folder(const RunOptions& options) {
  return options.store.empty() ? default_store() : std::filesystem::path(options.store);
}

// What cannot be written to should be known before the training, not after.
Status check_outputs(const RunOptions& options) {
  if (!options.model.empty()) MASH_TRY(check_output_file("--model", options.model));
  const std::filesystem::path store = store_folder(options);
  std::error_code code;
  if (std::filesystem::exists(store, code) && !std::filesystem::is_directory(store, code))
    return input_error("--store {}: is a file, expected a folder", store.string());
  return check_output_file("--store", store / "lock");
}

std::filesystem::path model_path(const RunOptions& options, const Experiment& experiment,
                                 std::uint64_t seed) {
  std::filesystem::path path = options.model;
  if (experiment.runs == 1) return path;
  const std::string extension = path.extension().string();
  return path.replace_extension(fmt::format(".{}{}", seed, extension));
}

// Everything that the seeds of an experiment share.
struct Session {
  const Experiment& experiment;
  const RunOptions& options;
  const Dataset& dataset;
  const FeatureSet& features;
  const Workers& workers;
  Records& records;
  Progress& progress;
  const StopFlag& stop;
};

std::filesystem::path checkpoint_path(const Session& session, const std::string& key) {
  return store_folder(session.options) / "checkpoints" / (key.substr(0, 32) + ".ckpt");
}

Result<RunOutcome> run_one(const Session& session, std::uint64_t seed) {
  const Experiment& experiment = session.experiment;
  MASH_ASSIGN(Parts parts, make_parts(experiment));
  parts.booster.seed = seed;
  const std::string key = run_key(experiment, seed, session.dataset, session.features);
  ExperimentStart start;
  start.name = experiment.name;
  start.configuration = to_yaml(experiment);
  start.run_key = key;
  start.seed = seed;
  const std::filesystem::path checkpoint = checkpoint_path(session, key);
  // Seeds that are done leave a checkpoint until the last is: with it a repeated job takes up their rows.
  const bool more_seeds = experiment.runs > 1;
  start.replace_finished = more_seeds && std::filesystem::exists(checkpoint);
  start.rounds = parts.booster.num_rounds;
  start.booster = experiment.booster.name;
  start.weak = experiment.weak.name;
  start.sampler = experiment.sampler.name;
  start.num_threads = session.workers.num_threads();
  start.program_version = MASH_VERSION;
  start.machine = this_machine();
  RunOutcome outcome;
  outcome.seed = seed;
  outcome.extract_seconds = session.features.extract_seconds();
  MASH_ASSIGN(outcome.experiment_id,
              session.records.begin(start, session.dataset, session.features.families()));
  const auto recorder = session.records.recorder(outcome.experiment_id);

  const TrainingContext context{session.dataset,  session.features, session.workers, *recorder,
                                session.progress, session.stop,     checkpoint,      key,
                                more_seeds};
  MASH_ASSIGN(outcome.result, train_adaboost_mh(parts.booster, *parts.sampler, *parts.weak, context));
  outcome.peak_memory_bytes = peak_memory_bytes();
  const std::vector<FamilyInfo> families = session.features.families_with_faults();
  MASH_TRY(session.records.finish(
      outcome.experiment_id, outcome.result,
      {outcome.extract_seconds, cpu_seconds(), outcome.peak_memory_bytes, families}, session.dataset));
  if (session.options.strict)
    for (const FamilyInfo& family : families) MASH_TRY(check_strict(family));
  if (!session.options.model.empty()) {
    outcome.model = model_path(session.options, experiment, seed);
    MASH_TRY(write_file_atomically(outcome.model, serialise(outcome.result.model)));
  }
  outcome.checkpoint = checkpoint;
  return outcome;
}

Result<Dataset> load(const Experiment& experiment, Progress& progress) {
  auto dataset =
      load_dataset(experiment.dataset.name, experiment.dataset.settings, experiment.seed, progress);
  if (!dataset.ok()) {
    // Whatever else is wrong has a place of its own.
    const bool is_known =
        std::any_of(dataset_formats().begin(), dataset_formats().end(),
                    [&](const DatasetFormat& format) { return format.name == experiment.dataset.name; });
    return is_known ? dataset.error() : dataset.error().at(experiment.dataset.where);
  }
  if (dataset->train.num_examples == 0)
    return input_error("data set {}: no training examples", experiment.dataset.name);
  return dataset;
}

// The reserved family of tables.
FamilySpec columns_family() {
  FamilySpec spec;
  spec.name = spec.heuristic.id = std::string(kColumnsFamily);
  spec.heuristic.version = "1.0.0";
  spec.heuristic.summary = "the columns of the table";
  return spec;
}

}  // namespace

Result<std::vector<FamilySpec>> family_specs(const Experiment& experiment, const Catalogue& catalogue) {
  std::vector<FamilySpec> specs;
  if (experiment.all_heuristics) {
    for (const HeuristicInfo& info : catalogue.heuristics()) {
      MASH_ASSIGN(auto values, parameter_values(info, {}));
      specs.push_back({info.id, info, values, describe_values(info, values), false});
    }
    if (specs.empty())
      return input_error(
          "no heuristics were found; searched the folders of --heuristics, $MASH_HEURISTICS and the "
          "installed ones");
  }
  for (const NamedSettings& wanted : experiment.heuristics) {
    const auto info = catalogue.find(wanted.name);
    if (!info.ok()) return info.error().at(wanted.where);
    MASH_ASSIGN(auto values, parameter_values(**info, wanted.settings));
    specs.push_back({wanted.name, **info, values, describe_values(**info, values), true});
  }
  std::sort(specs.begin(), specs.end(), [](const FamilySpec& a, const FamilySpec& b) {
    return std::tie(a.name, a.settings) < std::tie(b.name, b.settings);
  });
  for (std::size_t i = 1; i < specs.size(); ++i)
    if (specs[i - 1].heuristic.id == specs[i].heuristic.id && specs[i - 1].settings == specs[i].settings)
      return input_error("heuristic {} stands twice with the same settings ({})", specs[i].heuristic.id,
                         specs[i].settings);
  for (FamilySpec& spec : specs)
    if (std::count_if(specs.begin(), specs.end(),
                      [&](const auto& s) { return s.heuristic.id == spec.heuristic.id; }) > 1)
      spec.name = fmt::format("{}({})", spec.heuristic.id, spec.settings);
  return specs;
}

Result<ExperimentOutcome> run_experiment(const Experiment& experiment, const RunOptions& options,
                                         Progress& progress) {
  MASH_ASSIGN(const Parts parts, make_parts(experiment));
  MASH_TRY(check_outputs(options));
  const auto store_limit = parse_size(options.store_limit);
  if (!store_limit.ok()) return store_limit.error().at("--store-limit");
  MASH_ASSIGN(Catalogue catalogue, options.catalogue.open());
  MASH_ASSIGN(const Dataset dataset, load(experiment, progress));
  std::vector<FamilySpec> specs{columns_family()};
  if (!dataset.is_table()) {
    MASH_ASSIGN(specs, family_specs(experiment, catalogue));
  }
  MASH_ASSIGN(
      Records records,
      Records::open(options.database.empty() ? default_database() : std::filesystem::path(options.database)));

  const Workers workers(options.num_threads);
  const StopFlag& stop = stop_on_signals();
  const StoreSettings store{store_folder(options), *store_limit, parts.booster.scan.cuts == Cuts::kExact,
                            options.strict};
  MASH_ASSIGN(const FeatureSet features,
              FeatureSet::open(specs, store, {catalogue.host(), dataset, workers, progress, stop}));

  ExperimentOutcome outcome;
  outcome.experiment = experiment;
  outcome.num_features = features.num_features();
  outcome.num_distinct = features.num_distinct();
  outcome.warnings = dataset.warnings;
  for (const std::string& left_out : features.left_out()) outcome.warnings.push_back(left_out);
  for (const RefusedPlugin& refused : catalogue.refused())
    outcome.warnings.push_back(fmt::format("plugin {} refused: {}", refused.file.string(), refused.reason));
  remove_old_files(store.folder / "checkpoints", std::chrono::days(30));
  const Session session{experiment, options, dataset, features, workers, records, progress, stop};
  for (std::uint32_t run = 0; run < experiment.runs && !stop.raised(); ++run) {
    MASH_ASSIGN(RunOutcome one, run_one(session, experiment.seed + run));
    outcome.runs.push_back(std::move(one));
  }
  outcome.stopped =
      outcome.runs.size() < experiment.runs || outcome.runs.back().result.status == TrainingStatus::kStopped;
  outcome.families = features.families_with_faults();
  std::error_code code;
  if (!outcome.stopped)
    for (const RunOutcome& one : outcome.runs) std::filesystem::remove(one.checkpoint, code);
  if (outcome.runs.empty()) return Error{ErrorKind::kStopped, "stopped before the first run"};
  return outcome;
}

}  // namespace mash
