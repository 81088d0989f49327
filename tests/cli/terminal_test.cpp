// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/terminal.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>

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
