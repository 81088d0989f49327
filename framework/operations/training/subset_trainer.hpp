// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/analysis/contribution.hpp"
#include "framework/operations/training/judges.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/operations/training/workspace.hpp"

namespace mash {

// One training that is asked for.
struct SubsetJob {
  std::vector<std::size_t> families;  // indices into the workspace's families, increasing; at least one
  std::uint64_t seed = 1;
  bool wants_model = false;
};

// Results of a training, made now or earlier.
struct SubsetRun {
  std::int64_t run_id = 0;
  TestRun test;
  std::optional<StrongClassifier> model;  // where it was wanted; its families are those of the job
};

// Checks that an experiment can be trained on sets of its families. Errors (kInput): strategies do not exist,
// or the sampler is tuned by trainings of its own or bound to one family.
Status check_subsets(const Experiment& experiment);

// Trains an experiment on sets of its families, several trainings side by side. Each training is recorded as
// a trial and found again by its run key, so nothing is trained twice. An ordinary run of the whole
// experiment is found in the same way. Models and results are kept beside the feature store. Results have the
// same bits for any number of threads.
class SubsetTrainer {
 public:
  // space: the workspace of the experiment, with all its families. space and work outlive the trainer.
  // Errors (kInput): those of check_subsets and enough_judges.
  static Result<SubsetTrainer> make(Experiment experiment, Workspace& space, const WorkContext& work,
                                    Judges judges = Judges::kTest);

  // Announces that several calls of `run` will ask for at most num_runs runs. One progress bar is over all of
  // them, until `finish`. REQUIRES: called before the first `run`.
  void expect(std::size_t num_runs) { num_expected_ = num_runs; }
  void finish();

  // Returns a run for each job, in the order of the jobs. Before the first call trains, a remark says how
  // many trainings will be made and about how long they take. Errors: kStopped, those of training and of the
  // records. Trainings that were done before the error are kept in the records.
  Result<std::vector<SubsetRun>> run(std::span<const SubsetJob> jobs);

  const Dataset& dataset() const { return *space_->dataset; }
  const FeatureSet& features() const { return space_->features; }
  const Workers& workers() const { return work_.workers; }
  // The labels of the judging examples.
  const std::vector<std::uint16_t>& labels() const { return judges_.labels; }
  // Numbers of runs that this object trained, and that it took from the records. A run that is asked for
  // again counts once.
  std::size_t num_trained() const { return num_trained_; }
  std::size_t num_found() const { return num_found_; }

 private:
  // A job that must be trained: the records lack it, or its model or results are gone.
  struct Pending {
    std::size_t job = 0;
    std::string key;
    Recording recording = Recording::kAtTheEnd;
  };

  SubsetTrainer(Experiment experiment, Workspace& space, const WorkContext& work, JudgingExamples judges)
      : experiment_(std::move(experiment)), space_(&space), work_(work), judges_(std::move(judges)) {}

  const FeatureSet& features_of(const std::vector<std::size_t>& families);
  // The experiment with these families alone; unchanged where these are all.
  Experiment experiment_of(const std::vector<std::size_t>& families) const;
  // Equal for jobs that must give the same model.
  std::string key_of(const SubsetJob& job) const;
  std::filesystem::path kept_file(const std::string& key, std::string_view ending) const;
  // Trains these side by side.
  Status train_all(std::span<const SubsetJob> jobs, std::span<const Pending> pending, int num_beside,
                   std::vector<SubsetRun>& runs);
  // num_found: runs of this call taken from the records. num_pending: runs to train.
  void show_bar(std::size_t num_found, std::size_t num_pending);
  // Says how long the trainings take, computed from the time of the first. num_later: the largest number of
  // trainings that may follow.
  void announce(std::size_t num_pending, std::size_t num_later, int num_beside,
                double seconds_of_first) const;
  // Fills in the run of a job that was trained before, and returns nothing. Else returns the training that is
  // pending.
  Result<std::optional<Pending>> find(std::size_t job_idx, const SubsetJob& job, SubsetRun& run);
  Status train(const SubsetJob& job, const Pending& pending, const Workers& workers, RecordWriter& writer,
               SubsetRun& run);

  Experiment experiment_;
  Workspace* space_;
  WorkContext work_;
  JudgingExamples judges_;
  std::map<std::vector<std::size_t>, FeatureSet> subsets_;
  std::set<std::pair<std::vector<std::size_t>, std::uint64_t>> asked_;  // families and seed
  std::size_t num_trained_ = 0, num_found_ = 0;
  std::size_t num_expected_ = 0;  // of all calls of run; 0: of each as many as it is asked for
  bool is_announced_ = false, is_bar_shown_ = false;
};

}  // namespace mash
