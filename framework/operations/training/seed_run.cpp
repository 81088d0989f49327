// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/seed_run.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "classifiers/boosters/loop/staged_errors.hpp"
#include "classifiers/boosters/loop/training_revision.hpp"
#include "framework/analysis/family_subset.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/machine.hpp"
#include "framework/base/number.hpp"
#include "framework/base/require.hpp"
#include "framework/base/stopped_within.hpp"
#include "framework/operations/experiment/held_settings.hpp"
#include "framework/operations/experiment/strategies.hpp"
#include "framework/operations/training/family_rows.hpp"

namespace mash {
namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// Keeps all events of a training and passes them on to another observer, at once where there is one.
class EventLog final : public Observer {
 public:
  explicit EventLog(Observer* next) : next_(next) {}
  void on_round(const RoundEvent& event) override {
    rounds_.push_back(event);
    if (next_) next_->on_round(event);
  }
  void on_curve(const CurvePoint& point) override {
    curve_.push_back(point);
    if (next_) next_->on_curve(point);
  }
  void tell(Observer& other) const {
    for (const RoundEvent& event : rounds_) other.on_round(event);
    for (const CurvePoint& point : curve_) other.on_curve(point);
  }

  // staged: the error after each hypothesis. A round that found none changes nothing.
  std::vector<RoundError> test_errors(std::span<const double> staged) const {
    std::vector<RoundError> errors;
    std::size_t num_hypotheses = 0;
    for (const RoundEvent& round : rounds_) {
      if (round.alpha > 0) ++num_hypotheses;
      errors.push_back({staged[num_hypotheses], round.seconds});
    }
    return errors;
  }

 private:
  Observer* next_;
  std::vector<RoundEvent> rounds_;
  std::vector<CurvePoint> curve_;
};

std::vector<RunSetting> settings_of(const TrainingJob& job) {
  std::vector<RunSetting> settings;
  for (HeldSetting& one : held_settings(job.experiment))
    settings.push_back({std::move(one.key), std::move(one.value), one.is_default});
  settings.push_back({"seed", std::to_string(job.seed), false});
  return settings;
}

// The rounds that the experiment asks for: of boosters that learn one class against all others, for each
// class.
std::int64_t configured_rounds(std::span<const RunSetting> settings) {
  const auto rounds = std::ranges::find(settings, "booster.rounds", &RunSetting::key);
  require(rounds != settings.end(), "configured_rounds: every booster has rounds");
  return number_in<std::int64_t>(rounds->value).value();
}

RunStart start_of(const TrainingJob& job, int num_threads) {
  RunStart start;
  start.name = job.experiment.name;
  start.configuration = to_yaml(job.experiment);
  start.setup = held_text(job.experiment);
  Experiment any_rounds = job.experiment;
  any_rounds.booster.settings.erase("rounds");
  start.any_rounds_setup = held_text(any_rounds);
  start.run_key = job.key;
  start.seed = job.seed;
  start.settings = settings_of(job);
  start.learner = job.experiment.learner().name;
  if (job.experiment.has_booster())
    start.booster = {{job.experiment.booster.name, job.experiment.weak.name, job.experiment.sampler.name,
                      configured_rounds(start.settings)}};
  start.num_threads = num_threads;
  start.program_version = MASH_VERSION;
  start.machine = this_machine();
  start.trial = job.recording == Recording::kAtTheEnd;
  return start;
}

// The families with the faults that this training met. before: the families when it began; what the seeds
// before it met is in their rows.
std::vector<FamilyInfo> families_since(const FeatureSet& features, std::span<const FamilyInfo> before) {
  std::vector<FamilyInfo> families = features.families_with_faults();
  for (std::size_t k = 0; k < families.size(); ++k)
    if (families[k].lazy) families[k].num_faults -= before[k].num_faults;
  return families;
}

// Trains and, if that was asked for, evaluates after every round.
Status train(const TrainingJob& job, const Learner& learner, const WorkContext& work, EventLog& events,
             TrainedRun& run) {
  const TrainingContext context{
      .dataset = job.dataset,
      .features = job.features,
      .work = work,
      .observer = events,
      .checkpoint = job.checkpoint,
      .run_key = run_key(job.decided, job.seed, job.dataset, identities(job.features)),
      .keep_finished = job.keep_finished,
      .left_out = job.left_out,
      .rounds_file = job.rounds_file,
      .rounds_key = job.rounds_key};
  auto trained = unless_stopped([&] { return learner.train(job.seed, context); });
  if (!trained.ok()) return trained.error().kind == ErrorKind::kStopped ? stopped_error() : trained.error();
  run.result = *std::move(trained);
  run.peak_memory_bytes = peak_memory_bytes();
  const bool is_stopped = run.result.status == TrainingStatus::kStopped;
  if (is_stopped && job.recording == Recording::kAtTheEnd) return stopped_error();
  if (job.every_test_error && !is_stopped)
    run.test_errors = events.test_errors(
        staged_test_errors(run.result.model.sum(), job.dataset, job.features, work.workers));
  return Done{};
}

}  // namespace

std::string training_version() { return fmt::format("{}.{}", MASH_VERSION, kTrainingRevision); }

std::string run_key(const Experiment& experiment, std::uint64_t seed, const Dataset& dataset,
                    const std::string& identities) {
  Sha256 hash;
  hash.update(fmt::format("{}\n{}seed: {}\n{}\n", training_version(), held_text(experiment), seed,
                          dataset.fingerprint));
  // The content of files that the settings name, not only where they lie.
  if (const auto learner = make_learner(experiment); learner.ok())
    for (const std::filesystem::path& file : (*learner)->identity_files())
      if (const auto content = read_file(file); content.ok()) hash.update(*content);
  hash.update(identities);
  return hash.hex();
}

std::string identities(const FeatureSet& features) {
  return identities(features, all_but({}, features.num_families()));
}

std::string identities(const FeatureSet& features, std::span<const std::size_t> families) {
  std::string text;
  for (const std::size_t k : families) {
    const FamilyInfo& family = features.families()[k];
    text += fmt::format("{}|{}|{}|{}\n", family.spec.name, family.spec.settings,
                        family.spec.heuristic.plugin_sha256, family.lazy);
  }
  return text;
}

Error stopped_error() { return {ErrorKind::kStopped, "stopped; run the same command again to go on"}; }

Result<TrainedRun> train_run(const TrainingJob& job, RecordWriter& writer, const WorkContext& work) {
  MASH_ASSIGN(const auto learner, make_learner(job.decided));
  TrainedRun run;
  const bool is_trial = job.recording == Recording::kAtTheEnd;
  const std::vector<IncidentRow> incidents = incident_rows(job.features.incidents());
  const auto begin = [&]() -> Status {
    RunStart start = start_of(job, work.workers.num_threads());
    start.incidents = incidents;
    MASH_ASSIGN(run.run_id, writer.records.begin(start, job.dataset, family_rows(job.features.families())));
    return Done{};
  };
  const std::vector<FamilyInfo> before = job.features.families_with_faults();
  std::unique_ptr<Observer> recorder;
  if (job.recording == Recording::kRoundByRound) {
    MASH_TRY(begin());
    recorder = writer.records.recorder(run.run_id);
  }
  EventLog events(recorder.get());
  MASH_TRY(train(job, *learner, work, events, run));
  const double cpu_seconds = job.cpu.seconds();
  run.tuning = job.tuning;
  if (const ChosenSetting& chosen = run.result.chosen; !chosen.setting.empty())
    run.tuning = {chosen.setting, chosen.value, chosen.num_tried, 0, chosen.seconds};
  if (job.strict) MASH_TRY(check_strict(job.features));
  if (job.recording == Recording::kNever) return run;

  const std::lock_guard lock(writer.mutex);
  if (is_trial) {
    MASH_TRY(begin());
    events.tell(*writer.records.recorder(run.run_id));
  }
  RunEnd end{0, cpu_seconds, run.peak_memory_bytes, run.tuning, {}};
  std::vector<FamilyRow> families;
  if (is_trial) {
    // Where trainings share threads, nobody knows which of them a thread worked for.
    if (work.workers.num_threads() > 1) end.cpu_seconds = kNotMeasured;
  } else {
    families = family_rows(families_since(job.features, before));
    end.families = families;
    end.extract_seconds = job.features.extract_seconds();
  }
  MASH_TRY(writer.records.finish(run.run_id, run.result, end, job.dataset));
  return run;
}

}  // namespace mash
