// SPDX-License-Identifier: Apache-2.0
#include "framework/base/child_process.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace mash {
namespace {

TEST(ChildProcess, TellsOutputAndExitCode) {
  const auto result = run_child({"sh", "-c", "echo out; echo err >&2; cat; exit 3"});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(result->out, "out\n");
  EXPECT_EQ(result->err, "err\n") << "and cat found nothing to read";
}

TEST(ChildProcess, TellsTheSignalThatEndedIt) {
  EXPECT_EQ(run_child({"sh", "-c", "kill -SEGV $$"})->exit_code, 128 + SIGSEGV);
}

TEST(ChildProcess, NeverWaitsForItsReader) {
  const auto result = run_child({"sh", "-c", "head -c 3000000 /dev/zero"});
  EXPECT_EQ(result->out.size(), 3000000u);
}

TEST(ChildProcess, SaysWhyItCannotBeStarted) {
  const auto result = run_child({"no-such-program"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "no-such-program: cannot be started: No such file or directory");
}

// Also what the program started itself, and though it does not listen.
TEST(ChildProcess, OfAGroupOfItsOwnNothingRemains) {
  const auto start = std::chrono::steady_clock::now();
  pid_t group = 0;
  {
    auto child =
        ChildProcess::start({"sh", "-c", "trap '' TERM; sleep 1000 & echo $$; while :; do sleep 0.1; done"},
                            ChildProcess::Group::kOwn);
    ASSERT_TRUE(child) << child.error().message;
    EXPECT_FALSE(child->has_ended());
    group = child->pid();
  }
  // What was killed is there until init has waited for it.
  const auto late = [&] { return std::chrono::steady_clock::now() - start > std::chrono::seconds(20); };
  while (::kill(-group, 0) == 0 && !late()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(::kill(-group, 0), -1);
  EXPECT_FALSE(late());
}

}  // namespace
}  // namespace mash
