// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/subset_trainer.hpp"

#include <algorithm>

#include "classifiers/model/model_file.hpp"
#include "framework/base/file.hpp"
#include "framework/base/part_of_progress.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/operations/strategies.hpp"
#include "framework/records/predictions.hpp"

namespace mash {
namespace {

TestRun test_run(std::uint64_t seed, std::vector<std::uint16_t> predicted, const Dataset& dataset) {
  const double error = error_of(predicted, dataset.test.labels);
  return {seed, error, std::move(predicted)};
}

}  // namespace

Status check_subsets(const Experiment& experiment) {
  MASH_TRY(make_strategies(experiment));
  const NamedSettings& sampler = experiment.sampler;
  MASH_ASSIGN(const auto* row, find_sampler(sampler.name));
  if (is_tuned(row->tuning, sampler.settings))
    return input_error(
               "sampler {}: its setting {} would be tuned anew for every set of families; expected a value "
               "for it, or another sampler",
               sampler.name, row->tuning.key)
        .at(sampler.where);
  if (sampler.settings.has("family"))
    return input_error("sampler {}: is bound to one family; expected a sampler that chooses among all",
                       sampler.name)
        .at(sampler.where);
  return Done{};
}

Result<SubsetTrainer> SubsetTrainer::make(Experiment experiment, Workspace& space, const WorkContext& work) {
  MASH_TRY(check_subsets(experiment));
  if (space.dataset->test.num_examples == 0)
    return input_error("data set {}: no test examples to compare on", space.dataset->name);
  return SubsetTrainer(std::move(experiment), space, work);
}

const FeatureSet& SubsetTrainer::features_of(const std::vector<std::size_t>& families) {
  if (families.size() == features().num_families()) return features();
  const auto found = subsets_.find(families);
  if (found != subsets_.end()) return found->second;
  return subsets_.emplace(families, features().subset(families)).first->second;
}

Experiment SubsetTrainer::experiment_of(const std::vector<std::size_t>& families) const {
  Experiment experiment = experiment_;
  if (families.size() == features().num_families()) return experiment;
  experiment.all_heuristics = false;
  experiment.heuristics.clear();
  for (const std::size_t k : families) {
    const FamilySpec& spec = features().families()[k].spec;
    experiment.heuristics.push_back({spec.heuristic.id, parameter_settings(spec.heuristic, spec.values), ""});
  }
  return experiment;
}

std::filesystem::path SubsetTrainer::model_path(const std::string& key) const {
  return space_->store / "models" / (key.substr(0, 32) + ".json");
}

Result<std::optional<SubsetTrainer::Pending>> SubsetTrainer::find(std::size_t job_idx, const SubsetJob& job,
                                                                  SubsetRun& run) {
  const FeatureSet& of_job = features_of(job.families);
  Pending pending{job_idx, run_key(experiment_of(job.families), job.seed, dataset(), of_job)};
  MASH_ASSIGN(const auto id, space_->records.find_finished(pending.key));
  // Whether all values of features on demand were finite is not known afterwards.
  const bool forgets = space_->strict && of_job.any_lazy();
  if (!id || forgets) return std::optional(std::move(pending));
  MASH_ASSIGN(auto predicted, read_predictions(space_->records, *id));
  // A row whose predictions somebody deleted is of no use.
  if (predicted.size() != dataset().test.num_examples) return std::optional(std::move(pending));
  run.run_id = *id;
  run.test = test_run(job.seed, std::move(predicted), dataset());
  if (!job.wants_model) return std::optional<Pending>();
  if (const auto text = read_file(model_path(pending.key)); text.ok())
    if (const auto model = parse_model(*text); model.ok() && model->additive() != nullptr) {
      run.model = *model->additive();
      return std::optional<Pending>();
    }
  pending.recording = Recording::kNever;
  return std::optional(std::move(pending));
}

Status SubsetTrainer::train(const SubsetJob& job, const Pending& pending, const Workers& workers,
                            RecordWriter& writer, SubsetRun& run) {
  const Experiment experiment = experiment_of(job.families);
  const TrainingJob training{.experiment = experiment,
                             .decided = experiment,
                             .dataset = dataset(),
                             .features = features_of(job.families),  // made by find: the map does not change
                             .seed = job.seed,
                             .key = pending.key,
                             .recording = pending.recording,
                             .strict = space_->strict,
                             .cpu = CpuWatch(CpuWatch::Whose::kThread)};
  MASH_ASSIGN(TrainedRun trained,
              train_run(training, writer, {workers, no_progress(), work_.remarks, work_.stop}));
  if (trained.result.status == TrainingStatus::kStopped) return stopped_error();
  if (pending.recording != Recording::kNever) run.run_id = trained.run_id;
  run.test =
      test_run(job.seed, predicted_classes(trained.result.test_scores, dataset().num_classes()), dataset());
  if (job.wants_model) {
    MASH_TRY(write_file_atomically(model_path(pending.key), serialise(trained.result.model)));
    run.model = *trained.result.model.additive();
  }
  work_.progress.advance(1);
  return Done{};
}

Status SubsetTrainer::train_all(std::span<const SubsetJob> jobs, std::span<const Pending> pending,
                                int num_beside, std::vector<SubsetRun>& runs) {
  const int num_within = workers().num_threads() / num_beside;
  const Workers outer(num_beside);
  RecordWriter writer{space_->records};
  std::vector<std::optional<Error>> errors(pending.size());
  outer.for_blocks(pending.size(), 1, [&](std::size_t i, std::size_t, std::size_t) {
    const Workers inner(num_within);
    const std::size_t job = pending[i].job;
    const Status status =
        work_.stop.raised() ? stopped_error() : train(jobs[job], pending[i], inner, writer, runs[job]);
    if (!status.ok()) errors[i] = status.error();
  });
  num_trained_ +=
      std::size_t(std::count_if(errors.begin(), errors.end(), [](const auto& error) { return !error; }));
  for (const auto& error : errors)
    if (error) return *error;
  return Done{};
}

void SubsetTrainer::announce(std::size_t num_pending, std::size_t num_later, int num_beside,
                             double seconds_of_first) const {
  const double seconds = seconds_of_first * double(num_pending - 1 + num_later) / double(num_beside);
  const std::string later =
      num_later == 0 ? "" : fmt::format(", then up to {} that depend on these", num_later);
  work_.remarks.tell(fmt::format("{} training{} to make{}: about {}", num_pending,
                                 num_pending == 1 ? "" : "s", later, rough_duration(seconds)));
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
  show_bar(jobs.size() - pending.size(), pending.size());
  // A short training on many threads waits more than it works: as many at once as there are threads.
  const int num_beside = std::min(workers().num_threads(), int(pending.size()));
  std::span<const Pending> rest = pending;
  const std::size_t num_known = num_found_ + num_trained_ + pending.size();
  const std::size_t num_later = num_expected_ > num_known ? num_expected_ - num_known : 0;
  if (!is_announced_ && pending.size() + num_later > 1) {
    // The first alone: how long it takes tells how long the others will.
    const Stopwatch watch;
    MASH_TRY(train_all(jobs, rest.first(1), num_beside, runs));
    announce(pending.size(), num_later, num_beside, watch.seconds());
    is_announced_ = true;
    rest = rest.subspan(1);
  }
  MASH_TRY(train_all(jobs, rest, num_beside, runs));
  if (num_expected_ == 0) work_.progress.finish();
  return runs;
}

void SubsetTrainer::show_bar(std::size_t num_found, std::size_t num_pending) {
  if (num_expected_ == 0) {
    work_.progress.start("training", num_pending, "runs");
  } else if (is_bar_shown_) {
    work_.progress.advance(num_found);
  } else {
    work_.progress.start("training", num_expected_, "runs");
    work_.progress.advance(num_found_ + num_trained_);
    is_bar_shown_ = true;
  }
}

void SubsetTrainer::finish() {
  if (is_bar_shown_) work_.progress.finish();
}

}  // namespace mash
