// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/run_experiment.hpp"

#include <limits>
#include <optional>

#include "classifiers/model/model_file.hpp"
#include "framework/base/file.hpp"
#include "framework/operations/experiment/strategies.hpp"
#include "framework/records/run_record.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

// The runs of one experiment, seed after seed.
class SeedRuns {
 public:
  SeedRuns(const Experiment& experiment, const RunSettings& settings, Workspace& space,
           const WorkContext& work)
      : experiment_(experiment), settings_(settings), space_(space), work_(work), writer_{space.records} {}

  Result<RunResult> run(std::uint64_t seed) {
    const std::string key = key_of(experiment_, seed);
    if (settings_.reuse_finished && !forgets()) {
      MASH_ASSIGN(const auto id, space_.records.find_finished(key));
      if (id) {
        MASH_ASSIGN(RunResult recorded, recorded_run(*id));
        if (!settings_.every_test_error || !recorded.test_errors.empty()) return recorded;
      }
    }
    return train(seed);
  }

  // Removes what was kept for taking the experiment up again; REQUIRES: all seeds are done.
  void remove_kept_files() const {
    std::error_code code;
    for (const fs::path& file : kept_files_) fs::remove(file, code);
  }

 private:
  std::string key_of(const Experiment& experiment, std::uint64_t seed) const {
    return run_key(experiment, seed, *space_.dataset, identities(space_.features));
  }

  // Faults of families on demand before an interruption are not known after it: a strict run begins again.
  bool forgets() const { return space_.strict && space_.features.any_lazy(); }

  // Whether there are several seeds, or several values of a setting to try: what is done is kept until all
  // is.
  bool has_several_trainings() const {
    const auto row = find_sampler(experiment_.sampler.name);
    return experiment_.runs > 1 || (row.ok() && is_tuned((*row)->tuning, experiment_.sampler.settings));
  }

  // A file of this run among the checkpoints.
  fs::path kept_path(const std::string& key, const char* extension) {
    return kept_files_.emplace_back(space_.store / "checkpoints" / (key.substr(0, 32) + extension));
  }

  fs::path model_path(std::uint64_t seed) const {
    fs::path path = settings_.model;
    if (experiment_.runs == 1) return path;
    const std::string extension = path.extension().string();
    return path.replace_extension(fmt::format(".{}{}", seed, extension));
  }

  TrainingJob job_of(const Experiment& decided, std::uint64_t seed) {
    TrainingJob job{.experiment = experiment_,
                    .decided = decided,
                    .dataset = *space_.dataset,
                    .features = space_.features,
                    .seed = seed,
                    .key = key_of(experiment_, seed)};
    const fs::path checkpoint = kept_path(key_of(decided, seed), ".ckpt");
    if (!forgets()) job.checkpoint = checkpoint;
    job.keep_finished = has_several_trainings();
    return job;
  }

  // A run that was done before, as far as the records have it: curve, meters and tuning, no model.
  Result<RunResult> recorded_run(std::int64_t run_id) {
    MASH_ASSIGN(const RunRecord record, read_run(space_.records, run_id));
    RunResult run;
    run.run_id = record.id;
    run.seed = record.seed;
    run.tuning = record.tuning;
    run.result.curve = record.curve;
    run.result.num_rounds = std::uint32_t(record.num_rounds.value_or(0));
    run.result.meters.fe = std::uint64_t(record.fe.value_or(0));
    run.result.meters.seconds = record.train_seconds.value_or(0);
    run.result.families.resize(space_.features.num_families());
    if (settings_.every_test_error) {
      MASH_ASSIGN(run.test_errors, read_test_errors(space_.records, run_id));
    }
    return run;
  }

  // Trains with every value of the sampler's tuned setting, and gives the experiment with the value that ends
  // in the smallest training loss (the first among equals); the experiment as it is where nothing is tuned.
  Result<Experiment> tune(std::uint64_t seed, TuningRecord& record) {
    Experiment best = experiment_;
    MASH_ASSIGN(const auto* row, find_sampler(best.sampler.name));
    const Tuning& tuning = row->tuning;
    if (!is_tuned(tuning, best.sampler.settings)) return best;
    double best_loss = std::numeric_limits<double>::infinity();
    for (const std::string& value : tuning.values(space_.features)) {
      Experiment tried = experiment_;
      tried.sampler.settings.add(std::string(tuning.key), value, tried.sampler.where);
      MASH_ASSIGN(const TrainedRun run, train_run(job_of(tried, seed), writer_, work_));
      if (run.result.status == TrainingStatus::kStopped)
        return Error{ErrorKind::kStopped, "stopped while tuning; run the same command again to go on"};
      ++record.num_trainings;
      record.cost += run.result.meters.fe;
      record.seconds += run.result.meters.seconds;
      if (run.result.curve.back().train_loss_log10 >= best_loss) continue;
      best_loss = run.result.curve.back().train_loss_log10;
      record.value = value;
      best = std::move(tried);
    }
    record.setting = tuning.key;
    return best;
  }

  // The row of a seed, where this experiment has done it before it was interrupted and recorded it in this
  // database. done: the file with the number of the row.
  Result<std::optional<std::int64_t>> done_before(const std::string& key, const fs::path& done) {
    const auto note = read_file(done);
    MASH_ASSIGN(auto id, space_.records.find_finished(key));
    if (id && !(note.ok() && *note == std::to_string(*id))) id.reset();
    return id;
  }

  Result<RunResult> train(std::uint64_t seed) {
    RunResult run;
    run.seed = seed;
    run.extract_seconds = space_.features.extract_seconds();
    const CpuWatch cpu(CpuWatch::Whose::kProcess);
    MASH_ASSIGN(const Experiment decided, tune(seed, run.tuning));
    TrainingJob job = job_of(decided, seed);
    const fs::path done = kept_path(job.key, ".done");
    MASH_ASSIGN(const auto recorded, done_before(job.key, done));
    job.recording = recorded ? Recording::kNever : Recording::kRoundByRound;
    job.every_test_error = settings_.every_test_error;
    job.strict = space_.strict;
    job.cpu = cpu;
    job.tuning = run.tuning;
    MASH_ASSIGN(TrainedRun trained, train_run(job, writer_, work_));
    run.run_id = recorded ? *recorded : trained.run_id;
    run.result = std::move(trained.result);
    run.test_errors = std::move(trained.test_errors);
    run.peak_memory_bytes = trained.peak_memory_bytes;
    if (run.result.status == TrainingStatus::kStopped) return run;
    MASH_TRY(keep(run));
    if (experiment_.runs > 1 && !recorded) MASH_TRY(write_file_atomically(done, std::to_string(run.run_id)));
    return run;
  }

  // The errors of every round go into the records, the model into its file.
  Status keep(RunResult& run) {
    if (!run.test_errors.empty()) MASH_TRY(put_test_errors(space_.records, run.run_id, run.test_errors));
    if (settings_.model.empty()) return Done{};
    run.model = model_path(run.seed);
    return write_output(run.model, serialise(run.result.model));
  }

  const Experiment& experiment_;
  const RunSettings& settings_;
  Workspace& space_;
  const WorkContext& work_;
  RecordWriter writer_;
  std::vector<fs::path> kept_files_;
};

}  // namespace

Status check_every_test_error(const Experiment& experiment) {
  MASH_ASSIGN(const auto learner, make_learner(experiment));
  if (learner->traits().adds_hypotheses) return Done{};
  return input_error(
             "booster {}: its rounds change all hypotheses, so that the error after every round cannot "
             "be had from its model; expected a booster that adds hypotheses, such as adaboost.mh",
             experiment.booster.name)
      .at(experiment.booster.where);
}

Result<ExperimentResult> run_experiment(const Experiment& experiment, const RunSettings& settings,
                                        Workspace& space, const WorkContext& work) {
  ExperimentResult result;
  result.experiment = experiment;
  result.dataset = space.dataset->name;
  result.num_features = space.features.num_features();
  result.num_distinct = space.features.num_distinct();
  result.num_examples = space.dataset->train.num_examples + space.dataset->test.num_examples;
  result.warnings = space.warnings();
  SeedRuns seeds(experiment, settings, space, work);
  for (std::uint32_t i = 0; i < experiment.runs && !work.stop.raised(); ++i) {
    auto run = seeds.run(experiment.seed + i);
    // Stopped before it had anything to show; what the seeds before gave is shown.
    if (!run.ok() && run.error().kind == ErrorKind::kStopped && i > 0) break;
    if (!run.ok()) return run.error();
    result.runs.push_back(*std::move(run));
  }
  result.stopped =
      result.runs.size() < experiment.runs || result.runs.back().result.status == TrainingStatus::kStopped;
  result.families = space.features.families_with_faults();
  if (!result.stopped) seeds.remove_kept_files();
  if (result.runs.empty()) return Error{ErrorKind::kStopped, "stopped before the first run"};
  return result;
}

}  // namespace mash
