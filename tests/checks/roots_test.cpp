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

CheckResult& result_of(CheckReport& report, std::string_view id) {
  return *std::ranges::find_if(report.results,
                               [&](const CheckResult& result) { return result.check->id == id; });
}

TEST(FindRoots, ADivisionByZeroOnBlackIsOneCause) {
  CheckReport report = report_of({"robustness.flat", "robustness.tiny", "robustness.structured"});
  result_of(report, "robustness.flat").found.evidence = "feature 0 of a picture of 0 everywhere is nan";
  result_of(report, "robustness.tiny").found.evidence = "feature 0 of a black picture of 1x1 is nan";
  result_of(report, "robustness.structured").found.evidence =
      "feature 0 of a picture of 512x512 (black) is nan";
  find_roots(report);
  EXPECT_EQ(root_of(report, "robustness.tiny"), "robustness.flat");
  EXPECT_EQ(root_of(report, "robustness.structured"), "robustness.flat");
  EXPECT_EQ(result_of(report, "robustness.flat").num_following, 2u);
  result_of(report, "robustness.structured").found.evidence =
      "feature 9 of a picture of 2048x2048 (dotted) is inf";
  find_roots(report);
  EXPECT_EQ(root_of(report, "robustness.structured"), "") << "of more than one colour";
}

TEST(FindRoots, WhatFailsOnEveryPictureIsNotAboutSizes) {
  CheckReport report = report_of({"contract.sizes", "contract.strides"});
  for (const char* id : {"contract.sizes", "contract.strides"})
    result_of(report, id).found.evidence = "compute let an exception out: too bright";
  find_roots(report);
  EXPECT_EQ(root_of(report, "contract.strides"), "contract.sizes");
  EXPECT_EQ(advice_of(result_of(report, "contract.sizes")),
            "Let every call succeed on a size that dim takes.");
  CheckReport alone = report_of({"contract.sizes"});
  result_of(alone, "contract.sizes").found.evidence = "compute let an exception out: too small";
  find_roots(alone);
  EXPECT_EQ(advice_of(result_of(alone, "contract.sizes")), (*find_check("contract.sizes"))->advice);
}

TEST(FindRoots, ChecksThatTakeTooLongHaveOneCauseWithAnyLimit) {
  CheckReport report = report_of({"contract.sizes", "contract.views"});
  result_of(report, "contract.sizes").found = {
      Outcome::kFail, "took longer than 30 s", Symptom::kTimeout, {}};
  result_of(report, "contract.views").found = {Outcome::kFail, "took longer than 3 s", Symptom::kTimeout, {}};
  find_roots(report);
  EXPECT_EQ(root_of(report, "contract.views"), "contract.sizes");
}

}  // namespace
}  // namespace mash::checks
