// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/terminal.hpp"

#include <gmock/gmock.h>

#include <csignal>

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

TEST(Terminal, ASignalRaisesTheFlag) {
  const StopFlag& stop = stop_on_signals();
  EXPECT_FALSE(stop.raised());
  std::raise(SIGTERM);
  EXPECT_TRUE(stop.raised());
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
}

}  // namespace
}  // namespace mash
