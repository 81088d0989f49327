// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash::checks {

class Bench;

// How deep a check looks; the order in which they run.
enum class Level { kLoad, kContract, kValues, kDeterminism, kResources, kRobustness, kAdvisory };
inline constexpr std::string_view kLevelNames[] = {"load",      "contract",   "values",  "determinism",
                                                   "resources", "robustness", "advisory"};
constexpr std::string_view level_name(Level level) { return kLevelNames[std::size_t(level)]; }

enum class Outcome { kPass, kWarn, kFail, kSkip };
inline constexpr std::string_view kOutcomeNames[] = {"pass", "warn", "fail", "skip"};
constexpr std::string_view outcome_name(Outcome outcome) { return kOutcomeNames[std::size_t(outcome)]; }

// How a check came to what it found.
enum class Symptom {
  kFound,    // it ran to its end
  kOutside,  // the heuristic touched memory beside an array or a picture that it was given
  kCrash,    // it ended its process otherwise
  kTimeout,  // it took longer than it may
};

// The result of a check: numbers, the first feature or pixel that is wrong, the symbol.
struct Finding {
  Outcome outcome = Outcome::kPass;
  std::string evidence;
  Symptom symptom = Symptom::kFound;
  std::string place = {};  // in the heuristic's source, "edges.cpp:12"; "" where nobody knows
};

template <class... Args>
Finding finding(Outcome outcome, fmt::format_string<Args...> format, Args&&... args) {
  return {outcome, fmt::format(format, std::forward<Args>(args)...), Symptom::kFound, {}};
}

// The process that a check asks.
enum class Asks {
  kThatOfItsLevel,  // that the checks before it have asked, while it lives
  kFreshOne,        // for what a process counts: nobody has left anything there
  kOneWithThreads,  // fresh, and a box lets it start threads
};

// One row of the table of a level (load.cpp and so on). To add a check: its function and its row there, and a
// plugin tests/checks/faulty/LEVEL/NAME.cpp, with _ for - in the name, on which it gives its worst outcome.
struct Check {
  std::string_view id;  // "<level>.<name>"
  Level level;
  Outcome worst;            // kWarn or kFail
  std::string_view what;    // what it looks at
  std::string_view advice;  // one sentence: what to do when it warns or fails
  // An error is a failure with that evidence.
  Result<Finding> (*run)(Bench& bench);
  Asks asks = Asks::kThatOfItsLevel;
};

// All of them, by level.
const std::vector<Check>& all_checks();
// Errors (kInput): unknown id; lists the known ones.
Result<const Check*> find_check(std::string_view id);

}  // namespace mash::checks
