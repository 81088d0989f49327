// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "framework/checks/supervisor.hpp"

namespace mash {

// The table of checks, for --list.
void print_checks(std::span<const checks::Check* const> checks, bool as_json);

// A line for each check, by level, and a summary; failures and warnings with advice. quiet: these alone.
void print_report(const checks::CheckReport& report, bool quiet);

// One heuristic: its document. Several: {passed, heuristics: [document]}.
void print_reports_as_json(std::span<const checks::CheckReport> reports);

// A <testsuite> for each heuristic, a <testcase> for each check.
std::string junit_document(std::span<const checks::CheckReport> reports);

}  // namespace mash
