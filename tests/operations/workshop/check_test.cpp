// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/check.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CauseOfChecks, OneThatTakesTooLongHasALikelyCause) {
  checks::CheckReport report{"slow", "slow.so", {}, {}};
  const checks::Check* check = *checks::find_check("contract.sizes");
  report.results.push_back(
      {check, {checks::Outcome::kFail, "took longer than 30 s", checks::Symptom::kTimeout, {}}, 30});
  EXPECT_EQ(
      cause_of(report),
      "slow fails contract.sizes: took longer than 30 s, by an endless loop or by work that grows faster "
      "than the picture");
  report.results[0].found = checks::finding(checks::Outcome::kFail, "found 3, expected 4");
  EXPECT_THAT(cause_of(report), Not(HasSubstr("endless")));
}

}  // namespace
}  // namespace mash
