// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/subset_trainer.hpp"

#include <algorithm>
#include <atomic>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/cut_answers.hpp"
#include "framework/analysis/log_loss.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/part_of_progress.hpp"
#include "framework/base/raw_values.hpp"
#include "framework/operations/experiment/columns_item.hpp"
#include "framework/operations/experiment/strategies.hpp"

namespace mash {
namespace {

// Endings of what is kept of a training.
constexpr std::string_view kModel = ".json", kTest = ".test";

// Bytes that are kept of a run, with a hash in front: half a file, or one with a wrong bit, is no file.
std::string bytes_of_model(const TestRun& run) {
  std::string bytes(reinterpret_cast<const char*>(run.losses.data()), run.losses.size() * sizeof(double));
  bytes.append(reinterpret_cast<const char*>(run.predicted.data()),
               run.predicted.size() * sizeof(std::uint16_t));
  return sha256(bytes) + bytes;
}

TestRun test_run(std::uint64_t seed, std::vector<double> losses, std::vector<std::uint16_t> predicted,
                 std::span<const std::uint16_t> labels) {
  const double error = error_of(predicted, labels);
  return {seed, error, std::move(predicted), std::move(losses)};
}

// Nothing where it is not kept.
std::optional<TestRun> kept_run(const std::filesystem::path& path, std::uint64_t seed,
                                std::span<const std::uint16_t> labels) {
  constexpr std::size_t kHashSize = 64;
  const std::size_t num_losses = labels.size() * sizeof(double);
  const std::size_t num_predicted = labels.size() * sizeof(std::uint16_t);
  const auto content = read_file(path);
  if (!content.ok() || content->size() != kHashSize + num_losses + num_predicted) return std::nullopt;
  const std::string_view bytes = std::string_view(*content).substr(kHashSize);
  if (content->substr(0, kHashSize) != sha256(bytes)) return std::nullopt;
  auto losses = values_from_bytes<double>(bytes.data(), num_losses);
  auto predicted = values_from_bytes<std::uint16_t>(bytes.data() + num_losses, num_predicted);
  return test_run(seed, std::move(losses), std::move(predicted), labels);
}

// The scores of some training examples, examples x K.
std::vector<double> scores_of(const StrongClassifier& model, const FeatureSet& features,
                              std::span<const std::uint32_t> examples) {
  const std::size_t num_classes = model.class_names.size();
  std::vector<double> scores(examples.size() * num_classes);
  for (const Hypothesis& hypothesis : model.hypotheses) {
    const auto cells = cells_of(hypothesis, features, Side::kTrain);
    const auto votes = cell_votes(hypothesis);
    for (std::size_t i = 0; i < scores.size(); ++i)
      scores[i] += hypothesis.alpha * votes[cells[examples[i / num_classes]] * num_classes + i % num_classes];
  }
  return scores;
}

}  // namespace

Status check_subsets(const Experiment& experiment) {
  MASH_TRY(check_has_booster(experiment, "its scores are no sum of votes that families could share"));
  MASH_TRY(make_learner(experiment));
  const NamedSettings& sampler = experiment.sampler;
  MASH_ASSIGN(const auto* row, find_sampler(sampler.name));
  if (is_tuned(row->tuning, sampler.settings))
    return input_error(
               "sampler {}: its setting {} would be tuned again for every set of families; expected a value "
               "for it, or another sampler",
               sampler.name, row->tuning.key)
        .at(sampler.where);
  if (sampler.settings.has("family"))
    return input_error("sampler {}: is bound to one family; expected a sampler that chooses among all",
                       sampler.name)
        .at(sampler.where);
  return Done{};
}

Result<SubsetTrainer> SubsetTrainer::make(Experiment experiment, Workspace& space, const WorkContext& work,
                                          Judges judges) {
  MASH_TRY(check_subsets(experiment));
  MASH_ASSIGN(JudgingExamples examples, enough_judges(*space.dataset, judges));
  return SubsetTrainer(std::move(experiment), space, work, std::move(examples));
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
    experiment.heuristics.push_back(item_of(features().families()[k].spec, ""));
  }
  return experiment;
}

std::string SubsetTrainer::key_of(const SubsetJob& job) const {
  const std::string key =
      run_key(experiment_of(job.families), job.seed, dataset(), identities(features(), job.families));
  if (judges_.held_out.empty()) return key;
  return sha256(fmt::format("{} without {}", key, checksum(std::as_bytes(std::span(judges_.held_out)))));
}

std::filesystem::path SubsetTrainer::kept_file(const std::string& key, std::string_view ending) const {
  return space_->store / "models" / (key.substr(0, 32) + std::string(ending));
}

Result<std::optional<SubsetTrainer::Pending>> SubsetTrainer::find(std::size_t job_idx, const SubsetJob& job,
                                                                  SubsetRun& run) {
  Pending pending{job_idx, key_of(job)};
  MASH_ASSIGN(const auto id, space_->records.find_finished(pending.key));
  // Whether all values of features on demand were finite is not known afterwards.
  const bool forgets = space_->strict && std::ranges::any_of(job.families, [&](std::size_t k) {
                         return features().families()[k].lazy;
                       });
  if (!id || forgets) return std::optional(std::move(pending));
  run.run_id = *id;
  pending.recording = Recording::kNever;
  auto kept = kept_run(kept_file(pending.key, kTest), job.seed, labels());
  if (!kept) return std::optional(std::move(pending));
  run.test = *std::move(kept);
  if (!job.wants_model) return std::optional<Pending>();
  if (const auto text = read_file(kept_file(pending.key, kModel)); text.ok())
    if (const auto model = parse_model(*text); model.ok() && model->is_sum()) {
      run.model = model->sum();
      return std::optional<Pending>();
    }
  return std::optional(std::move(pending));
}

Status SubsetTrainer::train(const SubsetJob& job, const Pending& pending, const Workers& workers,
                            RecordWriter& writer, SubsetRun& run) {
  const Experiment experiment = experiment_of(job.families);
  const TrainingJob training{.experiment = experiment,
                             .decided = experiment,
                             .dataset = dataset(),
                             .features = features_of(job.families),  // made before: the map does not change
                             .seed = job.seed,
                             .key = pending.key,
                             .recording = pending.recording,
                             .strict = space_->strict,
                             .left_out = judges_.held_out,
                             .cpu = CpuWatch(CpuWatch::Whose::kThread)};
  MASH_ASSIGN(TrainedRun trained,
              train_run(training, writer, {workers, no_progress(), work_.remarks, work_.stop}));
  if (trained.result.status == TrainingStatus::kStopped) return stopped_error();
  if (pending.recording != Recording::kNever) run.run_id = trained.run_id;
  const std::vector<double> scores =
      judges_.held_out.empty() ? std::move(trained.result.test_scores)
                               : scores_of(trained.result.model.sum(), training.features, judges_.held_out);
  run.test = test_run(job.seed, scaled_log_loss(scores, labels()).losses,
                      predicted_classes(scores, dataset().num_classes()), labels());
  MASH_TRY(write_file_atomically(kept_file(pending.key, kTest), bytes_of_model(run.test)));
  if (job.wants_model) {
    MASH_TRY(write_file_atomically(kept_file(pending.key, kModel), serialise(trained.result.model)));
    run.model = trained.result.model.sum();
  }
  work_.progress.advance(1);
  return Done{};
}

Status SubsetTrainer::train_all(std::span<const SubsetJob> jobs, std::span<const Pending> pending,
                                int num_beside, std::vector<SubsetRun>& runs) {
  const int num_within = workers().num_threads() / num_beside;
  const Workers outer(num_beside);
  RecordWriter writer{space_->records};
  std::atomic<std::size_t> num_trained = 0;
  const Status trained = outer.try_each(pending.size(), work_.stop, [&](std::size_t i) -> Status {
    const Workers inner(num_within);
    const std::size_t job = pending[i].job;
    MASH_TRY(train(jobs[job], pending[i], inner, writer, runs[job]));
    ++num_trained;
    return Done{};
  });
  num_trained_ += num_trained;
  if (work_.stop.raised()) return stopped_error();
  return trained;
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
  const std::size_t num_found_before = num_found_;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    MASH_ASSIGN(auto lacking, find(i, jobs[i], runs[i]));
    const bool is_new = asked_.emplace(jobs[i].families, jobs[i].seed).second;
    num_found_ += !lacking && is_new;
    if (!lacking) continue;
    features_of(jobs[i].families);
    pending.push_back(*std::move(lacking));
  }
  if (pending.empty()) return runs;
  show_bar(num_found_ - num_found_before, pending.size());
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
