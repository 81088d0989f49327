// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <memory>

#include "framework/base/scratch_folder.hpp"
#include "framework/checks/supervisor.hpp"
#include "framework/operations/workshop/named_heuristic.hpp"

namespace mash {

// A heuristic's source, built once more with sanitizers beside other work: the compiler is started at once,
// and ended by the destructor where it still runs.
class SanitizedBuild {
 public:
  // REQUIRES: named.source. Errors (kFailure): there is no temporary folder.
  static Result<std::unique_ptr<SanitizedBuild>> start(const NamedHeuristic& named);
  ~SanitizedBuild();
  SanitizedBuild(const SanitizedBuild&) = delete;
  SanitizedBuild& operator=(const SanitizedBuild&) = delete;

  // Waits for the compiler, and runs the heuristic: what checks::kSanitizersCheck finds. Skipped where the
  // source cannot be built so. Errors: no worker can be started (kFailure); kStopped.
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
