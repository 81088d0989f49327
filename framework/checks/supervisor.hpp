// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/checks/bench.hpp"
#include "framework/checks/check.hpp"

namespace mash::checks {

struct CheckResult {
  const Check* check = nullptr;
  Finding found;
  double seconds = 0;
  // The check whose failure this one comes of, and how many results come of this one; find_roots sets them.
  const Check* follows_from = nullptr;
  std::size_t num_following = 0;

  bool failed() const { return found.outcome == Outcome::kFail; }
};

// Results of the checks on one heuristic.
struct CheckReport {
  std::string heuristic;  // its id; "" where the plugin cannot be loaded
  std::filesystem::path plugin;
  std::vector<CheckResult> results;
  std::vector<std::string> log = {};  // the first lines that it logged, each once

  std::size_t count(Outcome outcome) const;
  bool passed() const { return count(Outcome::kFail) == 0; }
};

// A heuristic to check. Where the plugin cannot be loaded, `refusal` says why: the checks of the level "load"
// look at it all the same.
struct CheckSubject {
  CheckTarget target;
  std::string id;
  std::string refusal;
};

// The heuristics of a plugin file, or the one of an id among the plugins in `heuristics` (as --heuristics
// takes them) and the usual folders. No plugin is loaded in this process. settings: seed, cycles, time limit,
// isolation, and the heuristic's settings. Errors: no such file; unknown id, with the known ones; a setting
// that a heuristic does not have or take (kInput); no worker can be started (kFailure); kStopped.
Result<std::vector<CheckSubject>> find_subjects(const std::string& file_or_id,
                                                const std::vector<std::string>& heuristics,
                                                const CheckTarget& settings, const WorkContext& work);

// The seconds that the next check may take: the limit, or a tenth of it, but a second at least, where a check
// of this report has taken longer than it may.
double limit_of_next(const CheckReport& report, double time_limit_s);

// Runs the checks one after another, in this process: what they look at is asked of a process with the plugin
// (check_process.hpp), one for those of a level, and a fresh one where a check needs it. One in which that
// crashes or takes longer than the time limit, waits for a processor not counted up to kMostCheckWaits times
// as much, fails, and the others go on with a new one. After the first that takes longer they have less time
// (limit_of_next), and after the second the rest is skipped. checks: by level. Errors: kStopped, at once; no
// process can be started (kFailure).
Result<CheckReport> run_checks(const CheckSubject& subject, std::span<const Check* const> checks,
                               Progress& progress, const StopFlag& stop);

}  // namespace mash::checks
