// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/subset_runs.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <limits>

#include "classifiers/builtin.hpp"
#include "classifiers/model/model_file.hpp"
#include "framework/base/file.hpp"
#include "framework/cli/family_rows.hpp"
#include "framework/cli/machine.hpp"
#include "framework/records/predictions.hpp"

namespace mash {
namespace {

// Keeps all events: the records have one writer, and trainings side by side would be several.
class EventKeeper final : public Observer {
 public:
  void on_round(const RoundEvent& event) override { rounds_.push_back(event); }
  void on_curve(const CurvePoint& point) override { curve_.push_back(point); }
  void tell(Observer& other) const {
    for (const RoundEvent& event : rounds_) other.on_round(event);
    for (const CurvePoint& point : curve_) other.on_curve(point);
  }

 private:
  std::vector<RoundEvent> rounds_;
  std::vector<CurvePoint> curve_;
};

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// Of the calling thread, so far.
double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

TestRun test_run(std::uint64_t seed, std::vector<std::uint16_t> predicted, const Dataset& dataset) {
  TestRun run{seed, 0, std::move(predicted)};
  std::size_t num_wrong = 0;
  for (std::size_t n = 0; n < run.predicted.size(); ++n)
    num_wrong += run.predicted[n] != dataset.test.labels[n];
  run.test_error = double(num_wrong) / double(run.predicted.size());
  return run;
}

// "cell=4,bins=9" as settings.
Settings settings_of(const std::string& description) {
  Settings settings;
  for (const std::string& pair : CLI::detail::split(description, ','))
    if (const auto equals = pair.find('='); equals != std::string::npos)
      settings.add(pair.substr(0, equals), pair.substr(equals + 1), "");
  return settings;
}

}  // namespace

Status check_subsets(const Experiment& experiment) {
  MASH_TRY(make_parts(experiment));
  const NamedSettings& sampler = experiment.sampler;
  MASH_ASSIGN(const auto* row, find_sampler(sampler.name));
  if (is_tuned(row->tuning, sampler.settings))
    return input_error(
               "sampler {}: its {} is tuned by trainings of its own, which would be another one for every "
               "set of "
               "families; expected a value for it, or another sampler",
               sampler.name, row->tuning.key)
        .at(sampler.where);
  if (sampler.settings.has("family"))
    return input_error("sampler {}: is bound to one family; expected a sampler that chooses among all",
                       sampler.name)
        .at(sampler.where);
  return Done{};
}

Result<SubsetTrainer> SubsetTrainer::make(const SubsetSession& session) {
  MASH_TRY(check_subsets(session.experiment));
  if (session.dataset.test.num_examples == 0)
    return input_error("data set {}: no test examples to compare on", session.dataset.name);
  return SubsetTrainer(session);
}

const FeatureSet& SubsetTrainer::features_of(const std::vector<std::size_t>& families) {
  if (families.size() == session_.features.num_families()) return session_.features;
  const auto found = subsets_.find(families);
  if (found != subsets_.end()) return found->second;
  return subsets_.emplace(families, session_.features.subset(families)).first->second;
}

Experiment SubsetTrainer::experiment_of(const std::vector<std::size_t>& families) const {
  Experiment experiment = session_.experiment;
  if (families.size() == session_.features.num_families()) return experiment;
  experiment.all_heuristics = false;
  experiment.heuristics.clear();
  for (const std::size_t k : families) {
    const FamilySpec& spec = session_.features.families()[k].spec;
    experiment.heuristics.push_back({spec.heuristic.id, settings_of(spec.settings), ""});
  }
  return experiment;
}

Result<std::optional<SubsetTrainer::Pending>> SubsetTrainer::find(std::size_t job_idx, const SubsetJob& job,
                                                                  SubsetRun& run) {
  Pending pending{job_idx,
                  run_key(experiment_of(job.families), job.seed, session_.dataset, features_of(job.families)),
                  true};
  MASH_ASSIGN(const auto id, session_.records.find_finished(pending.key));
  // Of features on demand nobody knows afterwards whether all were finite.
  const bool forgets = session_.strict && features_of(job.families).any_lazy();
  if (!id || forgets) return std::optional(std::move(pending));
  MASH_ASSIGN(auto predicted, read_predictions(session_.records, *id));
  // A row whose predictions somebody deleted is of no use.
  if (predicted.size() != session_.dataset.test.num_examples) return std::optional(std::move(pending));
  run.experiment_id = *id;
  run.test = test_run(job.seed, std::move(predicted), session_.dataset);
  if (!job.wants_model) return std::optional<Pending>();
  if (const auto text = read_file(session_.models / (pending.key.substr(0, 32) + ".json")); text.ok())
    if (const auto model = parse_model(*text); model.ok() && model->additive() != nullptr) {
      run.model = *model->additive();
      return std::optional<Pending>();
    }
  pending.record = false;
  return std::optional(std::move(pending));
}

Status SubsetTrainer::train(const SubsetJob& job, const Pending& pending, const Workers& workers,
                            std::mutex& records, SubsetRun& run) {
  const FeatureSet& features = features_of(job.families);  // made by find: no other thread changes the map
  const Experiment experiment = experiment_of(job.families);
  MASH_ASSIGN(const Parts parts, make_parts(experiment));
  const double cpu_before = thread_cpu_seconds();
  EventKeeper events;
  MASH_ASSIGN(TrainingResult result, parts.booster->train(parts.search, job.seed,
                                                          {session_.dataset,
                                                           features,
                                                           workers,
                                                           events,
                                                           no_progress(),
                                                           session_.stop,
                                                           {},
                                                           pending.key,
                                                           false}));
  if (result.status == TrainingStatus::kStopped)
    return Error{ErrorKind::kStopped, "stopped; run the same command again to go on"};
  if (session_.strict) MASH_TRY(check_strict(features));
  run.test = test_run(job.seed, predicted_classes(result.test_scores, session_.dataset.num_classes()),
                      session_.dataset);
  if (job.wants_model) {
    MASH_TRY(write_file_atomically(session_.models / (pending.key.substr(0, 32) + ".json"),
                                   serialise(result.model)));
    run.model = *result.model.additive();
  }
  session_.progress.advance(1);
  const std::lock_guard lock(records);
  ++num_trained_;
  if (!pending.record) return Done{};
  ExperimentStart start = experiment_start(experiment, parts, job.seed, pending.key, workers.num_threads());
  start.trial = true;
  MASH_ASSIGN(run.experiment_id,
              session_.records.begin(start, session_.dataset, family_rows(features.families())));
  events.tell(*session_.records.recorder(run.experiment_id));
  return session_.records.finish(
      run.experiment_id, result,
      {0,
       workers.num_threads() == 1 ? thread_cpu_seconds() - cpu_before : kNotMeasured,
       peak_memory_bytes(),
       {},
       {}},
      session_.dataset);
}

Result<std::vector<SubsetRun>> SubsetTrainer::run(std::span<const SubsetJob> jobs) {
  std::vector<SubsetRun> runs(jobs.size());
  std::vector<Pending> pending;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    MASH_ASSIGN(auto lacking, find(i, jobs[i], runs[i]));
    if (lacking) pending.push_back(*std::move(lacking));
  }
  num_found_ += jobs.size() - pending.size();
  if (pending.empty()) return runs;
  // A short training on many threads waits more than it works: as many at once as there are threads.
  const int num_beside = std::min(session_.workers.num_threads(), int(pending.size()));
  const int num_within = session_.workers.num_threads() / num_beside;
  const Workers outer(num_beside);
  std::mutex recording;
  std::vector<std::optional<Error>> errors(pending.size());
  session_.progress.start("training", pending.size(), "runs");
  outer.for_blocks(pending.size(), 1, [&](std::size_t i, std::size_t, std::size_t) {
    const Workers inner(num_within);
    const std::size_t job = pending[i].job;
    const Status status = session_.stop.raised()
                              ? Error{ErrorKind::kStopped, "stopped; run the same command again to go on"}
                              : train(jobs[job], pending[i], inner, recording, runs[job]);
    if (!status.ok()) errors[i] = status.error();
  });
  session_.progress.finish();
  for (const auto& error : errors)
    if (error) return *error;
  return runs;
}

}  // namespace mash
