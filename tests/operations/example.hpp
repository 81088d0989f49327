// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "framework/base/progress.hpp"
#include "framework/operations/experiment/experiment.hpp"

// A server's use of operations; the test beside it looks at what comes of it.
namespace mash::example {

struct JobResult {
  std::string diagnostics;  // of the compiler, on the heuristic that was to be checked
  double test_error = 0, trial_error = 0;
};

// Checks a heuristic, runs an experiment and tries another heuristic beside those of the experiment, with
// records in a database in `folder`, which is made.
Result<JobResult> run_job(const std::filesystem::path& folder, const Overrides& overrides,
                          const StopFlag& stop);

// Two jobs at once in two threads, with two databases and one feature store. The one that would hardly ever
// end is stopped when the other is done.
struct TwoJobs {
  Result<JobResult> endless = failure("not run"), other = failure("not run");
};
TwoJobs run_two_jobs(const std::filesystem::path& folder);

}  // namespace mash::example
