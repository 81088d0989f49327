// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mash::checks {
namespace {

// A report in which all checks have passed except these.
CheckReport report_of(std::initializer_list<std::string_view> failed) {
  CheckReport report;
  for (const Check& check : all_checks()) {
    CheckResult result;
    result.check = &check;
    result.found.outcome =
        std::ranges::find(failed, check.id) == failed.end() ? Outcome::kPass : Outcome::kFail;
    report.results.push_back(std::move(result));
  }
  find_roots(report);
  return report;
}

std::string_view root_of(const CheckReport& report, std::string_view id) {
  const auto found =
      std::ranges::find_if(report.results, [&](const CheckResult& result) { return result.check->id == id; });
  return found->follows_from == nullptr ? "" : found->follows_from->id;
}

// A second may begin while the threads are at work, or before another process is: seldom enough that only a
// made-up report shows it each time.
TEST(FindRoots, AClockThatIsReadExplainsWhatGoesOnWhileItTicks) {
  const CheckReport ticked = report_of({"determinism.clock", "determinism.threads", "determinism.process"});
  EXPECT_EQ(root_of(ticked, "determinism.threads"), "determinism.clock");
  EXPECT_EQ(root_of(ticked, "determinism.process"), "determinism.clock");
  EXPECT_EQ(root_of(ticked, "determinism.clock"), "");
  EXPECT_EQ(root_of(report_of({"determinism.threads"}), "determinism.threads"), "");
}

TEST(FindRoots, WhatDiffersFromCallToCallIsNoClock) {
  const CheckReport report = report_of({"determinism.instance", "determinism.clock", "determinism.threads"});
  EXPECT_EQ(root_of(report, "determinism.threads"), "determinism.instance");
  EXPECT_EQ(root_of(report, "determinism.clock"), "determinism.instance");
}

}  // namespace
}  // namespace mash::checks
