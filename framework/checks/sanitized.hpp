// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "framework/base/progress.hpp"
#include "framework/checks/bench.hpp"
#include "framework/checks/check.hpp"

namespace mash::checks {

// The id of the check that runs a heuristic built with sanitizers.
inline constexpr std::string_view kSanitizersCheck = "values.sanitizers";

// A heuristic that was built with address and undefined-behaviour sanitizers.
struct SanitizedPlugin {
  std::filesystem::path plugin;
  std::filesystem::path runtime;  // the sanitizers' library, which a process has to load before all others
  std::filesystem::path sources;  // the folder of the heuristic's own source
};

// A sanitizer's report.
struct SanitizerReport {
  std::string what;      // "reads outside an array on the heap (heap-buffer-overflow)"
  std::string place;     // "edges.cpp:12"; "" where nobody knows
  std::string function;  // "EdgeSum::compute"; ""
  bool is_of_memory = false;
};
// Nothing where the text is no report.
std::optional<SanitizerReport> read_sanitizer_report(const std::string& text);

// Runs a heuristic on the pictures of other checks, in a worker that loads the sanitizers first, and gives
// what they say of the first fault, and where it is. target: what was built without them. Errors: no worker
// can be started (kFailure); kStopped.
Result<Finding> run_sanitized(const CheckTarget& target, const SanitizedPlugin& built, const StopFlag& stop);

}  // namespace mash::checks
