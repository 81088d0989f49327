// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/watched_programs.hpp"

#include <gtest/gtest.h>

namespace mash {
namespace {

using How = WatchedEnd::How;

TEST(WatchedPrograms, TheFirstThatFailedIsTold) {
  constexpr const char* kTimes = "0m0.010000s 0m0.000000s\n0m30.500000s 1m0.250000s\n";
  const auto notes = [&](const char* status) {
    return std::string("/usr/lib/cc1plus 0\n") + kTimes + "as " + status + "\n" + kTimes + "driver 1\n" +
           kTimes;
  };
  const std::pair<const char*, How> ends[] = {
      {"1", How::kExit},     {"137", How::kKilled}, {"152", How::kProcessorTime}, {"153", How::kFileSize},
      {"127", How::kNotRun}, {"126", How::kNotRun}, {"139", How::kOtherSignal}};
  for (const auto& [status, how] : ends) {
    const WatchedEnd end = first_that_failed(notes(status));
    EXPECT_EQ(end.how, how) << status;
    EXPECT_EQ(end.program, "as");
    EXPECT_DOUBLE_EQ(end.seconds, 90.75);
  }
  EXPECT_EQ(first_that_failed(notes("0")).program, "driver");
  for (const char* none : {"", "\n", "a 0\n", "what is this\n\n\n"})
    EXPECT_EQ(first_that_failed(none).how, How::kGood) << none;
}

}  // namespace
}  // namespace mash
