// SPDX-License-Identifier: Apache-2.0
#include "tests/operations/example.hpp"

#include <gmock/gmock.h>

#include "tests/support/scratch_folder.hpp"

namespace mash::example {
namespace {

TEST(Example, JobsSideBySideGiveWhatTheyGiveAlone) {
  const mash::testing::ScratchFolder folder;
  const StopFlag never;
  const auto alone = run_job(folder / "alone", {}, never);
  ASSERT_TRUE(alone.ok()) << alone.error().message;
  const TwoJobs jobs = run_two_jobs(folder.path());
  ASSERT_TRUE(jobs.other.ok()) << jobs.other.error().message;
  EXPECT_EQ(jobs.other->test_error, alone->test_error);
  EXPECT_EQ(jobs.other->trial_error, alone->trial_error);
  EXPECT_THAT(jobs.other->diagnostics, ::testing::HasSubstr("of_no_heuristic"));
  ASSERT_FALSE(jobs.endless.ok());
  EXPECT_EQ(jobs.endless.error().kind, ErrorKind::kStopped) << jobs.endless.error().message;
}

}  // namespace
}  // namespace mash::example
