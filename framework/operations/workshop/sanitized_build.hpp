// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <memory>

#include "framework/base/scratch_folder.hpp"
#include "framework/checks/supervisor.hpp"
#include "framework/operations/workshop/named_heuristic.hpp"

namespace mash {

// A heuristic's source that is built once more with sanitizers while other work goes on. The compiler starts
// at once; the destructor ends it where it still runs.
class SanitizedBuild {
 public:
  // REQUIRES: named.source. Errors (kFailure): there is no temporary folder.
  static Result<std::unique_ptr<SanitizedBuild>> start(const NamedHeuristic& named);
  ~SanitizedBuild();
  SanitizedBuild(const SanitizedBuild&) = delete;
  SanitizedBuild& operator=(const SanitizedBuild&) = delete;

  // Waits for the compiler, runs the heuristic and returns the result of checks::kSanitizersCheck. The check
  // is skipped where the source cannot be built with sanitizers. Errors: no worker can be started (kFailure);
  // kStopped.
  Result<checks::CheckResult> check(const checks::CheckTarget& target, const StopFlag& stop);

 private:
  SanitizedBuild(NamedHeuristic named, ScratchFolder folder);
  Result<checks::Finding> find(const checks::CheckTarget& target, const StopFlag& stop);

  NamedHeuristic named_;
  ScratchFolder folder_;
  StopFlag ended_;
  std::future<Result<std::filesystem::path>> runtime_;  // of the sanitizers, when all is built
  std::optional<Result<std::filesystem::path>> built_;
};

}  // namespace mash
