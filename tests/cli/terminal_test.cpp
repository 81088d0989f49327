// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/terminal.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "framework/base/part_of_progress.hpp"

namespace mash {
namespace {

TEST(Terminal, IsGivenNoCommandsOfAStranger) {
  EXPECT_EQ(harmless("plugin \033[2J.so\r refused:\n\tno symbols\x7f"),
            "plugin ?[2J.so? refused:\n\tno symbols?");
}

TEST(Terminal, RemarksAreLinesOnStderr) {
  ::testing::internal::CaptureStderr();
  stderr_remarks().warn("file \033c");
  stderr_remarks().tell("next");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warning: file ?c\nnext\n");
}

// What a task of two hundred steps writes to stderr until it is half done.
std::string written_by(Progress& progress, const std::string& unit) {
  ::testing::internal::CaptureStderr();
  progress.start("extracting", 200, unit);
  progress.note("hog (1 of 2)");
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  progress.advance(100);
  progress.finish();
  return ::testing::internal::GetCapturedStderr();
}

TEST(Terminal, WithoutABarProgressIsALineNowAndThen) {
  const auto often = progress_in_lines(0.5), seldom = progress_in_lines(60);
  EXPECT_EQ(written_by(*often, std::string(kShares)), "extracting: 50 %, 1 s left, hog (1 of 2)\n");
  EXPECT_THAT(written_by(*often, "images"),
              ::testing::MatchesRegex("extracting: 100/200 images, [0-9]+/s, 1 s left, hog .1 of 2.\n"));
  EXPECT_EQ(written_by(*seldom, "images"), "") << "of what is soon done";
}

// In a process of its own: the flag is the whole program's.
TEST(Terminal, ASignalRaisesTheFlag) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    EXPECT_EXIT(
        {
          const StopFlag& stop = stop_on_signals();
          const bool was_raised = stop.raised();
          std::raise(signal);
          std::_Exit(!was_raised && stop.raised() ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "")
        << signal;
}

}  // namespace
}  // namespace mash
