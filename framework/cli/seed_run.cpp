// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/seed_run.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "classifiers/boosters/staged_errors.hpp"
#include "classifiers/boosters/training_revision.hpp"
#include "classifiers/builtin.hpp"
#include "classifiers/model/model_file.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/cli/family_rows.hpp"
#include "framework/cli/machine.hpp"
#include "framework/records/experiment_record.hpp"

namespace mash {
namespace {

// Of this process, so far.
double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::filesystem::path model_path(const RunOptions& options, const Experiment& experiment,
                                 std::uint64_t seed) {
  std::filesystem::path path = options.model;
  if (experiment.runs == 1) return path;
  const std::string extension = path.extension().string();
  return path.replace_extension(fmt::format(".{}{}", seed, extension));
}

// A file of this run among the checkpoints.
std::filesystem::path kept_path(const Session& session, const std::string& key, const char* extension) {
  return store_folder(session.options.store) / "checkpoints" / (key.substr(0, 32) + extension);
}

// Several seeds, or several values of a setting to try: what is done is kept until all is.
bool has_several_trainings(const Session& session) {
  const NamedSettings& sampler = session.experiment.sampler;
  const auto row = find_sampler(sampler.name);
  return session.experiment.runs > 1 || (row.ok() && is_tuned((*row)->tuning, sampler.settings));
}

// Trains an experiment that has every setting decided; takes up an earlier training where it was.
Result<TrainingResult> train(const Session& session, const Experiment& experiment, std::uint64_t seed,
                             Observer& observer, RunOutcome& outcome) {
  MASH_ASSIGN(const Parts parts, make_parts(experiment));
  const std::string key = run_key(experiment, seed, session.dataset, session.features);
  outcome.kept_files.push_back(kept_path(session, key, ".ckpt"));
  // What lazy families did wrong before an interruption is not known after it: a strict run begins again.
  const bool forgets = session.options.strict && session.features.any_lazy();
  const TrainingContext context{.dataset = session.dataset,
                                .features = session.features,
                                .workers = session.workers,
                                .observer = observer,
                                .progress = session.progress,
                                .stop = session.stop,
                                .checkpoint = forgets ? std::filesystem::path() : outcome.kept_files.back(),
                                .run_key = key,
                                .keep_finished = has_several_trainings(session)};
  return parts.booster->train(parts.search, seed, context);
}

// Keeps what the test errors after every round need of the rounds, and tells another observer.
class RoundList final : public Observer {
 public:
  explicit RoundList(Observer& next) : next_(next) {}
  void on_round(const RoundEvent& event) override {
    rounds_.push_back({event.alpha > 0, event.seconds});
    next_.on_round(event);
  }
  void on_curve(const CurvePoint& point) override { next_.on_curve(point); }

  // staged: the error after each hypothesis. A round that found none changes nothing.
  std::vector<RoundError> test_errors(std::span<const double> staged) const {
    std::vector<RoundError> errors;
    std::size_t num_hypotheses = 0;
    for (const Seen& round : rounds_) {
      if (round.found) ++num_hypotheses;
      errors.push_back({staged[num_hypotheses], round.seconds});
    }
    return errors;
  }

 private:
  struct Seen {
    bool found;  // a hypothesis
    double seconds;
  };
  Observer& next_;
  std::vector<Seen> rounds_;
};

// Trains the experiment, every setting of which is decided, and evaluates it after every round if that was
// asked for; `observer` is told of the training.
Status train_and_evaluate(const Session& session, const Experiment& resolved, Observer& observer,
                          RunOutcome& outcome) {
  RoundList rounds(observer);
  MASH_ASSIGN(outcome.result, train(session, resolved, outcome.seed, rounds, outcome));
  outcome.peak_memory_bytes = peak_memory_bytes();
  if (!session.options.every_test_error || outcome.result.status == TrainingStatus::kStopped) return Done{};
  outcome.test_errors = rounds.test_errors(staged_test_errors(
      *outcome.result.model.additive(), session.dataset, session.features, session.workers));
  return Done{};
}

// A run that was done before, as far as the records have it: curve, meters and tuning, no model.
Result<RunOutcome> recorded_outcome(const Session& session, std::int64_t experiment_id) {
  MASH_ASSIGN(const ExperimentRecord record, read_experiment(session.records, experiment_id));
  RunOutcome outcome;
  outcome.experiment_id = record.id;
  outcome.seed = record.seed;
  outcome.tuning = record.tuning;
  outcome.result.curve = record.curve;
  outcome.result.num_rounds = std::uint32_t(record.num_rounds.value_or(0));
  outcome.result.meters.fe = std::uint64_t(record.fe.value_or(0));
  outcome.result.meters.seconds = record.train_seconds.value_or(0);
  outcome.result.families.resize(session.features.num_families());
  if (session.options.every_test_error) {
    MASH_ASSIGN(outcome.test_errors, read_test_errors(session.records, experiment_id));
  }
  return outcome;
}

// Trains with every value of the sampler's tuned setting, and gives the experiment with the value that ends
// in the smallest training loss (the first among equals); the experiment as it is where nothing is tuned.
Result<Experiment> tune(const Session& session, std::uint64_t seed, RunOutcome& outcome) {
  Experiment best = session.experiment;
  MASH_ASSIGN(const auto* row, find_sampler(best.sampler.name));
  const Tuning& tuning = row->tuning;
  if (!is_tuned(tuning, best.sampler.settings)) return best;
  double best_loss = std::numeric_limits<double>::infinity();
  for (const std::string& value : tuning.values(session.features)) {
    Experiment tried = session.experiment;
    tried.sampler.settings.add(std::string(tuning.key), value, tried.sampler.where);
    Observer silent;
    MASH_ASSIGN(const TrainingResult result, train(session, tried, seed, silent, outcome));
    if (result.status == TrainingStatus::kStopped)
      return Error{ErrorKind::kStopped, "stopped while tuning; run the same command again to go on"};
    ++outcome.tuning.num_trainings;
    outcome.tuning.cost += result.meters.fe;
    outcome.tuning.seconds += result.meters.seconds;
    if (result.curve.back().train_loss_log10 >= best_loss) continue;
    best_loss = result.curve.back().train_loss_log10;
    outcome.tuning.value = value;
    best = std::move(tried);
  }
  outcome.tuning.setting = tuning.key;
  return best;
}

// The row of that seed, where an interrupted job has done it already and recorded it in this database.
// done: the file with the number of the row.
Result<std::optional<std::int64_t>> done_before(const Session& session, const std::string& key,
                                                const std::filesystem::path& done) {
  const auto note = read_file(done);
  MASH_ASSIGN(auto id, session.records.find_finished(key));
  if (id && !(note.ok() && *note == std::to_string(*id))) id.reset();
  return id;
}

// Trains the experiment (of which `resolved` has every setting decided) with a row of its own.
// cpu_before: the CPU seconds before tuning.
Status train_and_record(const Session& session, const Experiment& resolved, const std::string& key,
                        double cpu_before, RunOutcome& outcome) {
  const Experiment& experiment = session.experiment;
  MASH_ASSIGN(const Parts parts, make_parts(resolved));
  const ExperimentStart start =
      experiment_start(experiment, parts, outcome.seed, key, session.workers.num_threads());
  const std::vector<FamilyInfo> before = session.features.families_with_faults();
  MASH_ASSIGN(outcome.experiment_id,
              session.records.begin(start, session.dataset, family_rows(session.features.families())));
  const auto recorder = session.records.recorder(outcome.experiment_id);
  MASH_TRY(train_and_evaluate(session, resolved, *recorder, outcome));
  std::vector<FamilyInfo> families = session.features.families_with_faults();
  for (std::size_t k = 0; k < families.size(); ++k) {
    if (session.options.strict) MASH_TRY(check_strict(families[k]));
    // Those of the seeds before are in their rows.
    if (families[k].lazy) families[k].num_faults -= before[k].num_faults;
  }
  const std::vector<FamilyRow> rows = family_rows(families);
  return session.records.finish(
      outcome.experiment_id, outcome.result,
      {outcome.extract_seconds, cpu_seconds() - cpu_before, outcome.peak_memory_bytes, outcome.tuning, rows},
      session.dataset);
}

}  // namespace

Result<Parts> make_parts(const Experiment& experiment) {
  Parts parts;
  Settings booster = experiment.booster.settings, sampler = experiment.sampler.settings,
           weak = experiment.weak.settings;
  const auto booster_row = find_booster(experiment.booster.name);
  if (!booster_row.ok()) return booster_row.error().at(experiment.booster.where);
  MASH_ASSIGN(parts.booster, (*booster_row)->make(booster));
  MASH_TRY(booster.finish("booster " + experiment.booster.name));

  const auto sampler_row = find_sampler(experiment.sampler.name);
  if (!sampler_row.ok()) return sampler_row.error().at(experiment.sampler.where);
  if (is_tuned((*sampler_row)->tuning, sampler)) sampler.erase((*sampler_row)->tuning.key);
  MASH_ASSIGN(parts.search.sampler, (*sampler_row)->make(sampler));
  MASH_TRY(sampler.finish("sampler " + experiment.sampler.name));

  const auto weak_row = find_weak_learner(experiment.weak.name);
  if (!weak_row.ok()) return weak_row.error().at(experiment.weak.where);
  MASH_ASSIGN(parts.search.weak, (*weak_row)->make(weak));
  MASH_TRY(weak.finish("weak learner " + experiment.weak.name));
  if (const Status usable = parts.booster->check(*parts.search.weak); !usable.ok())
    return usable.error().at(experiment.weak.where);
  return parts;
}

bool is_tuned(const Tuning& tuning, const Settings& settings) {
  if (tuning.key.empty()) return false;
  const auto value = settings.peek(tuning.key);
  return value ? *value == kTuned : tuning.by_default;
}

std::string run_key(const Experiment& experiment, std::uint64_t seed, const Dataset& dataset,
                    const FeatureSet& features) {
  Experiment one = experiment;
  one.seed = seed;
  one.runs = 1;
  Sha256 hash;
  hash.update(fmt::format("{}.{}", MASH_VERSION, kTrainingRevision) + to_yaml(one) + dataset.fingerprint);
  for (const FamilyInfo& family : features.families())
    hash.update(fmt::format("{}|{}|{}|{}\n", family.spec.name, family.spec.settings,
                            family.spec.heuristic.plugin_sha256, family.lazy));
  return hash.hex();
}

ExperimentStart experiment_start(const Experiment& experiment, const Parts& parts, std::uint64_t seed,
                                 std::string key, int num_threads) {
  ExperimentStart start;
  start.name = experiment.name;
  start.configuration = to_yaml(experiment);
  start.run_key = std::move(key);
  start.seed = seed;
  start.rounds = parts.booster->num_rounds();
  start.booster = experiment.booster.name;
  start.weak = experiment.weak.name;
  start.sampler = experiment.sampler.name;
  start.num_threads = num_threads;
  start.program_version = MASH_VERSION;
  start.machine = this_machine();
  return start;
}

std::filesystem::path store_folder(const std::string& store) {
  return store.empty() ? default_store() : std::filesystem::path(store);
}

Result<RunOutcome> run_seed(const Session& session, std::uint64_t seed) {
  const Experiment& experiment = session.experiment;
  if (session.options.reuse_finished && !(session.options.strict && session.features.any_lazy())) {
    MASH_ASSIGN(const auto id,
                session.records.find_finished(run_key(experiment, seed, session.dataset, session.features)));
    if (id) {
      MASH_ASSIGN(RunOutcome recorded, recorded_outcome(session, *id));
      if (!session.options.every_test_error || !recorded.test_errors.empty()) return recorded;
    }
  }
  RunOutcome outcome;
  outcome.seed = seed;
  outcome.extract_seconds = session.features.extract_seconds();
  const double cpu_before = cpu_seconds();
  MASH_ASSIGN(const Experiment resolved, tune(session, seed, outcome));
  const std::string key = run_key(experiment, seed, session.dataset, session.features);
  const std::filesystem::path done = kept_path(session, key, ".done");
  MASH_ASSIGN(const auto recorded, done_before(session, key, done));
  if (recorded) {
    Observer silent;
    outcome.experiment_id = *recorded;
    MASH_TRY(train_and_evaluate(session, resolved, silent, outcome));
  } else {
    MASH_TRY(train_and_record(session, resolved, key, cpu_before, outcome));
  }
  if (outcome.result.status == TrainingStatus::kStopped) return outcome;
  if (!outcome.test_errors.empty())
    MASH_TRY(put_test_errors(session.records, outcome.experiment_id, outcome.test_errors));
  if (!session.options.model.empty()) {
    outcome.model = model_path(session.options, experiment, seed);
    MASH_TRY(write_file_atomically(outcome.model, serialise(outcome.result.model)));
  }
  outcome.kept_files.push_back(done);
  if (experiment.runs > 1 && !recorded)
    MASH_TRY(write_file_atomically(done, std::to_string(outcome.experiment_id)));
  return outcome;
}

}  // namespace mash
