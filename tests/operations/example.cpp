// SPDX-License-Identifier: Apache-2.0
#include "tests/operations/example.hpp"

#include <thread>

#include "framework/base/file.hpp"
#include "framework/operations/offers/exhaustive_trial.hpp"
#include "framework/operations/training/run_experiment.hpp"
#include "framework/operations/workshop/check.hpp"

namespace mash::example {
namespace {

constexpr const char* kHeuristic = "int features = of_no_heuristic;\n";
constexpr const char* kExperiment =
    "dataset: {name: digits, train: 400, test: 200, size: 16}\n"
    "heuristics: [grayscale, lbp, hog]\n"
    "booster: {name: adaboost.mh, rounds: 60}\n";

}  // namespace

Result<JobResult> run_job(const std::filesystem::path& folder, const Overrides& overrides,
                          const StopFlag& stop) {
  const std::filesystem::path heuristic = folder / "broken.cpp", file = folder / "example.yaml";
  MASH_TRY(write_file_atomically(heuristic, kHeuristic));
  MASH_TRY(write_file_atomically(file, kExperiment));
  const Workers workers(2);
  const WorkContext work{workers, no_progress(), no_remarks(), stop};
  const WorkspaceSettings workspace{.database = folder / "records.db", .store = folder / "../store"};

  const auto checked = check_heuristics({.names = {heuristic}}, work);

  MASH_ASSIGN(const Experiment experiment, read_experiment(file, overrides));
  MASH_ASSIGN(Workspace space, open_workspace(experiment, workspace, work));
  MASH_ASSIGN(const ExperimentResult result, run_experiment(experiment, {}, space, work));
  if (result.stopped) return Error{ErrorKind::kStopped, "stopped; the runs that ended are recorded"};

  const ExhaustiveTrySettings trial{{.heuristic = "lbp", .against = file, .seeds = 2, .workspace = workspace},
                                    20};
  MASH_ASSIGN(const ExhaustiveTrial tried, try_exhaustively(trial, work).result);
  return JobResult{checked.diagnostics, result.runs[0].result.curve.back().test_error,
                   tried.error_after.mean};
}

TwoJobs run_two_jobs(const std::filesystem::path& folder) {
  TwoJobs jobs;
  const StopFlag never;
  StopFlag stop;
  std::thread endless([&] {
    jobs.endless = run_job(folder / "endless", {{"runs=100000"}, "setting"}, stop);
  });
  jobs.other = run_job(folder / "other", {}, never);
  stop.raise();
  endless.join();
  return jobs;
}

}  // namespace mash::example
