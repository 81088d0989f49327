// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/terminal.hpp"

#include <gmock/gmock.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

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
  EXPECT_EQ(harmless("class 'a\xe2\x80\xae"
                     "b'\t\xc2\x9b"
                     "2J gr\xc3\xb6\xc3\x9f"
                     "er \xff\n"),
            "class 'a\\u202eb'\t?2J größer ?\n");
}

TEST(Terminal, RemarksAreLinesOnStderr) {
  ::testing::internal::CaptureStderr();
  stderr_remarks().warn("file \033c");
  stderr_remarks().tell("next");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warning: file ?c\nnext\n");
}

// Text that a task of two hundred steps writes to stderr until it is half done.
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

TEST(Terminal, LinesStayApartOverTasks) {
  const auto progress = progress_in_lines(0.5);
  ::testing::internal::CaptureStderr();
  for (const char* name : {"one", "two", "three"}) {
    progress->start(name, 10, "images");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    progress->advance(5);
  }
  progress->finish();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::MatchesRegex("two: 5/10 images, [0-9]+/s\n"))
      << "the second task is under way when the time of the first line comes";
}

// Text that progress writes to a terminal, in a process with these variables.
std::string written_to_a_terminal(const char* term, const char* no_color) {
  int master = -1;
  const pid_t pid = ::forkpty(&master, nullptr, nullptr, nullptr);
  if (pid == 0) {
    term ? ::setenv("TERM", term, 1) : ::unsetenv("TERM");
    no_color ? ::setenv("NO_COLOR", no_color, 1) : ::unsetenv("NO_COLOR");
    {
      const auto progress = terminal_progress();
      progress->start("extracting", 200, "images");
      progress->advance(100);
      progress->finish();
    }
    std::_Exit(0);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = ::read(master, buffer, sizeof buffer)) > 0;)
    text.append(buffer, std::size_t(count));
  ::waitpid(pid, nullptr, 0);
  ::close(master);
  return text;
}

TEST(Terminal, EscapesGoToTerminalsThatTakeThem) {
  using ::testing::HasSubstr;
  using ::testing::Not;
  EXPECT_THAT(written_to_a_terminal("xterm", nullptr), HasSubstr("\033[32m"));
  EXPECT_THAT(written_to_a_terminal("xterm", ""), HasSubstr("\033[32m")) << "empty is as if it were not set";
  const std::string plain = written_to_a_terminal("xterm", "1");
  EXPECT_THAT(plain, ::testing::AllOf(HasSubstr("extracting"), HasSubstr("\r"), Not(HasSubstr("\033"))));
  EXPECT_EQ(written_to_a_terminal("dumb", nullptr), "") << "lines, and of short work none";
  EXPECT_EQ(written_to_a_terminal(nullptr, nullptr), "");
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
