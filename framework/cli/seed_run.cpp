// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/seed_run.hpp"

#include <sys/resource.h>

#include <limits>

#include "classifiers/builtin.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/cli/machine.hpp"

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

bool is_tuned(const Tuning& tuning, const Settings& settings) {
  if (tuning.key.empty()) return false;
  const auto value = settings.peek(tuning.key);
  return value ? *value == kTuned : tuning.by_default;
}

// Equal for runs that must give the same model: what a checkpoint and an unfinished record belong to.
std::string run_key(const Experiment& experiment, std::uint64_t seed, const Session& session) {
  Experiment one = experiment;
  one.seed = seed;
  one.runs = 1;
  Sha256 hash;
  hash.update(std::string(MASH_VERSION) + to_yaml(one) + session.dataset.fingerprint);
  for (const FamilyInfo& family : session.features.families())
    hash.update(fmt::format("{}|{}|{}|{}\n", family.spec.name, family.spec.settings,
                            family.spec.heuristic.plugin_sha256, family.lazy));
  return hash.hex();
}

std::filesystem::path model_path(const RunOptions& options, const Experiment& experiment,
                                 std::uint64_t seed) {
  std::filesystem::path path = options.model;
  if (experiment.runs == 1) return path;
  const std::string extension = path.extension().string();
  return path.replace_extension(fmt::format(".{}{}", seed, extension));
}

std::filesystem::path checkpoint_path(const Session& session, const std::string& key) {
  return store_folder(session.options.store) / "checkpoints" / (key.substr(0, 32) + ".ckpt");
}

// Trains with every value of the sampler's tuned setting, and gives the experiment with the value that ends
// in the smallest training loss (the first among equals); the experiment as it is where nothing is tuned.
Result<Experiment> tune(const Session& session, std::uint64_t seed, RunOutcome& outcome) {
  Experiment best = session.experiment;
  MASH_ASSIGN(const auto* row, find_sampler(best.sampler.name));
  const Tuning& tuning = row->tuning;
  if (!is_tuned(tuning, best.sampler.settings)) return best;
  const Stopwatch watch;
  double best_loss = std::numeric_limits<double>::infinity();
  for (const std::string& value : tuning.values(session.features)) {
    Experiment tried = session.experiment;
    tried.sampler.settings.add(std::string(tuning.key), value, tried.sampler.where);
    MASH_ASSIGN(Parts parts, make_parts(tried));
    parts.booster.seed = seed;
    const std::string key = run_key(tried, seed, session);
    outcome.checkpoints.push_back(checkpoint_path(session, key));
    Observer silent;
    const TrainingContext context{session.dataset,
                                  session.features,
                                  session.workers,
                                  silent,
                                  session.progress,
                                  session.stop,
                                  outcome.checkpoints.back(),
                                  key,
                                  true};
    MASH_ASSIGN(const TrainingResult result,
                train_adaboost_mh(parts.booster, *parts.sampler, *parts.weak, context));
    if (result.status == TrainingStatus::kStopped)
      return Error{ErrorKind::kStopped, "stopped while tuning; run the same command again to go on"};
    ++outcome.tuning.num_trainings;
    if (result.curve.back().train_loss_log10 >= best_loss) continue;
    best_loss = result.curve.back().train_loss_log10;
    outcome.tuning.value = value;
    best = std::move(tried);
  }
  outcome.tuning.key = tuning.key;
  outcome.tuning.seconds = watch.seconds();
  return best;
}

}  // namespace

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
  if (is_tuned((*sampler_row)->tuning, sampler)) sampler.erase((*sampler_row)->tuning.key);
  MASH_ASSIGN(parts.sampler, (*sampler_row)->make(sampler));
  MASH_TRY(sampler.finish("sampler " + experiment.sampler.name));

  const auto weak_row = find_weak_learner(experiment.weak.name);
  if (!weak_row.ok()) return weak_row.error().at(experiment.weak.where);
  MASH_ASSIGN(parts.weak, (*weak_row)->make(weak));
  parts.booster.scan.cuts = parts.weak->cuts();
  MASH_TRY(weak.finish("weak learner " + experiment.weak.name));
  return parts;
}

std::filesystem::path store_folder(const std::string& store) {
  return store.empty() ? default_store() : std::filesystem::path(store);
}

Result<RunOutcome> run_seed(const Session& session, std::uint64_t seed) {
  const Experiment& experiment = session.experiment;
  RunOutcome outcome;
  outcome.seed = seed;
  MASH_ASSIGN(const Experiment resolved, tune(session, seed, outcome));
  MASH_ASSIGN(Parts parts, make_parts(resolved));
  parts.booster.seed = seed;
  const std::string key = run_key(resolved, seed, session);
  ExperimentStart start;
  start.name = experiment.name;
  start.configuration = to_yaml(experiment);
  start.run_key = run_key(experiment, seed, session);
  start.seed = seed;
  const std::filesystem::path checkpoint = checkpoint_path(session, key);
  // Seeds that are done leave a checkpoint until the last is: with it a repeated job takes up their rows.
  const bool more_trainings = experiment.runs > 1 || outcome.tuning.num_trainings > 0;
  start.replace_finished = experiment.runs > 1 && std::filesystem::exists(checkpoint);
  start.rounds = parts.booster.num_rounds;
  start.booster = experiment.booster.name;
  start.weak = experiment.weak.name;
  start.sampler = experiment.sampler.name;
  start.num_threads = session.workers.num_threads();
  start.program_version = MASH_VERSION;
  start.machine = this_machine();
  outcome.extract_seconds = session.features.extract_seconds();
  MASH_ASSIGN(outcome.experiment_id,
              session.records.begin(start, session.dataset, session.features.families()));
  const auto recorder = session.records.recorder(outcome.experiment_id);

  const TrainingContext context{session.dataset,  session.features, session.workers, *recorder,
                                session.progress, session.stop,     checkpoint,      key,
                                more_trainings};
  MASH_ASSIGN(outcome.result, train_adaboost_mh(parts.booster, *parts.sampler, *parts.weak, context));
  outcome.peak_memory_bytes = peak_memory_bytes();
  const std::vector<FamilyInfo> families = session.features.families_with_faults();
  if (session.options.strict)
    for (const FamilyInfo& family : families) MASH_TRY(check_strict(family));
  MASH_TRY(session.records.finish(
      outcome.experiment_id, outcome.result,
      {outcome.extract_seconds, cpu_seconds(), outcome.peak_memory_bytes, families}, session.dataset));
  if (!session.options.model.empty()) {
    outcome.model = model_path(session.options, experiment, seed);
    MASH_TRY(write_file_atomically(outcome.model, serialise(outcome.result.model)));
  }
  outcome.checkpoints.push_back(checkpoint);
  return outcome;
}

}  // namespace mash
