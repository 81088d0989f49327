// SPDX-License-Identifier: Apache-2.0
// What a server does with operations: two jobs at once in two threads, each with a database of its own, on
// one feature store. One is stopped in the middle of its trainings; the other gives what it gives alone.
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>

#include "framework/base/file.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/operations/build.hpp"
#include "framework/operations/run_experiment.hpp"
#include "framework/operations/trial.hpp"

namespace mash {
namespace {

constexpr const char* kExperiment =
    "dataset: {name: digits, train: 400, test: 200, size: 16}\n"
    "heuristics: [grayscale, lbp, hog]\n"
    "booster: {name: adaboost.mh, rounds: 60}\n";

struct JobResult {
  std::string diagnostics;
  double test_error = 0, trial_error = 0;
};

Result<JobResult> run_job(const std::filesystem::path& folder, Progress& progress, const StopFlag& stop) {
  const Workers workers(2);
  const WorkContext work{workers, progress, no_remarks(), stop};
  const WorkspaceSettings workspace{.database = folder / "records.db", .store = folder / "../store"};
  MASH_TRY(write_file_atomically(folder / "broken.cpp", "int features = of_no_heuristic;\n"));
  MASH_TRY(write_file_atomically(folder / "example.yaml", kExperiment));
  const BuildResult build = build_heuristic({.place = folder / "broken.cpp"});
  MASH_ASSIGN(const Experiment experiment, read_experiment(folder / "example.yaml", {}));
  MASH_ASSIGN(Workspace space, open_workspace(experiment, workspace, work));
  MASH_ASSIGN(const ExperimentResult result, run_experiment(experiment, {}, space, work));
  MASH_ASSIGN(const HeuristicTrial trial, try_heuristic({.heuristic = "lbp",
                                                         .against = folder / "example.yaml",
                                                         .rounds = 20,
                                                         .seeds = 2,
                                                         .workspace = workspace},
                                                        work));
  return JobResult{build.diagnostics, result.runs[0].result.curve.back().test_error,
                   trial.contribution.with_error.mean};
}

// Raises a flag once so many steps of training are done.
class Stopper final : public Progress {
 public:
  explicit Stopper(StopFlag& stop) : stop_(stop) {}
  void start(std::string task, std::size_t, std::string) override { is_training_ = task == "training"; }
  void advance(std::size_t) override {
    if (is_training_ && ++num_rounds_ == 30) stop_.raise();
  }
  void note(std::string) override {}
  void finish() override {}

 private:
  StopFlag& stop_;
  std::atomic<bool> is_training_{false};  // advance is called by any thread
  std::atomic<int> num_rounds_{0};
};

int run_example() {
  const auto folder = ScratchFolder::make("mash-example");
  if (!folder.ok()) return 1;
  const StopFlag never;
  StopFlag stop;
  Stopper stopper(stop);
  const auto alone = run_job(*folder / "alone", no_progress(), never);
  Result<JobResult> stopped = failure("not run"), other = failure("not run");
  std::thread first([&] { stopped = run_job(*folder / "stopped", stopper, stop); });
  std::thread second([&] { other = run_job(*folder / "other", no_progress(), never); });
  first.join();
  second.join();
  const auto is_as_expected = [&] {
    return alone.ok() && other.ok() && !stopped.ok() && stopped.error().kind == ErrorKind::kStopped &&
           other->test_error == alone->test_error && other->trial_error == alone->trial_error &&
           other->diagnostics.find("of_no_heuristic") != std::string::npos;
  };
  if (is_as_expected()) return 0;
  for (const Result<JobResult>* result : std::array<const Result<JobResult>*, 3>{&alone, &stopped, &other})
    std::fprintf(stderr, "%s\n", result->ok() ? "done" : result->error().message.c_str());
  return 1;
}

}  // namespace
}  // namespace mash

int main() { return mash::run_example(); }
