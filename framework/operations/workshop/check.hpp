// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "framework/checks/supervisor.hpp"
#include "framework/operations/workshop/named_heuristic.hpp"

namespace mash {

struct CheckSettings {
  // Names for find_named_heuristic. All heuristics of a plugin or project are checked.
  std::vector<std::string> names = {};
  std::vector<std::string> heuristics = {};       // plugins and folders of plugins, before the usual folders
  std::vector<std::string> only = {}, skip = {};  // ids of checks; only: empty for all of the levels
  std::string level{
      checks::kLevelNames[std::size(checks::kLevelNames) - 1]};  // the last of the levels that are run
  checks::CheckTarget target = {};                               // seed, cycles, time limit, isolation
};

// The checks that remain after level, only and skip. Errors (kInput): an unknown name; no check is left to
// run.
Result<std::vector<const checks::Check*>> selected_checks(const CheckSettings& settings);

// Runs the checks on each heuristic, in processes of their own. Meanwhile a source or project is built once
// more with sanitizers (checks::kSanitizersCheck), but not for a box. on_report: called for each heuristic as
// soon as it is checked. A failed check is a result, not an error. Errors: there is no such file or heuristic
// (kInput); a source does not compile (kFailure); kStopped.
Diagnosed<std::vector<checks::CheckReport>> check_heuristics(
    const CheckSettings& settings, const WorkContext& work,
    const std::function<void(const checks::CheckReport&)>& on_report = [](const checks::CheckReport&) {});

// The last of the levels that a heuristic has to pass before it is tried.
inline constexpr checks::Level kLevelBeforeTrial = checks::Level::kDeterminism;

// A callback that gets the report of a heuristic that fails its checks before it is tried.
using OnFailedChecks = std::function<void(const checks::CheckReport&)>;
inline void ignore_failed_checks(const checks::CheckReport&) {}

// Where a heuristic is checked before it is tried, and what becomes of the result.
struct BeforeTrial {
  Isolation isolation = Isolation::kByOrigin;
  bool anyway = false;              // failed checks give a warning and no error
  std::vector<double> values = {};  // of its parameters; empty: the defaults
};

// Checks a heuristic before it is tried. A source with a memory error is rebuilt with sanitizers, to name the
// line, but not for Isolation::kBox, where all is done in boxes. heuristic: the one that find_in gave for
// `named`. Errors: the heuristic fails (kFailure, in one sentence), after on_failed was called; kStopped.
Status check_before_trial(const NamedHeuristic& named, const HeuristicInfo& heuristic, const BeforeTrial& how,
                          const WorkContext& work, const OnFailedChecks& on_failed);

// Why a heuristic fails its checks, in one sentence without a full stop. REQUIRES: !report.passed()
std::string cause_of(const checks::CheckReport& report);

// JUnit XML: a <testsuite> for each heuristic, a <testcase> for each check.
std::string junit_document(std::span<const checks::CheckReport> reports);

// A text such as "ten other failures follow from it".
std::string consequences_in_words(std::size_t count);
double total_seconds(const checks::CheckReport& report);
// The heuristic's id, or the plugin's file where the plugin cannot be loaded.
std::string name_of(const checks::CheckReport& report);

// The documents that --json prints; their keys are a contract.
// For one heuristic its document; for several {passed, heuristics: [document]}.
nlohmann::ordered_json to_json(std::span<const checks::CheckReport> reports);
nlohmann::ordered_json to_json(std::span<const checks::Check* const> checks);

}  // namespace mash
