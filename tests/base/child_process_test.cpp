// SPDX-License-Identifier: Apache-2.0
#include "framework/base/child_process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "framework/base/progress.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using Group = ChildCommand::Group;

const StopFlag never;

ChildCommand shell(const std::string& script) { return {{"sh", "-c", script}}; }

ChildResult run(ChildCommand command) {
  auto child = ChildProcess::start(std::move(command));
  EXPECT_TRUE(child) << child.error().message;
  return child ? child->wait() : ChildResult{};
}

TEST(ChildProcess, TellsOutputAndExitCode) {
  const auto result = run_child({"sh", "-c", "echo out; echo err >&2; cat; exit 3"}, never);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->status.exit_code, 3);
  EXPECT_EQ(result->status.signal, 0);
  EXPECT_EQ(result->status.describe(), "exit code 3");
  EXPECT_FALSE(result->succeeded());
  EXPECT_EQ(result->out, "out\n");
  EXPECT_EQ(result->err, "err\n") << "and cat found nothing to read";
  EXPECT_FALSE(result->is_cut);
}

// Which an exit code of 128 + the signal is not.
TEST(ChildProcess, TellsTheSignalThatEndedIt) {
  const auto result = run_child({"sh", "-c", "kill -SEGV $$"}, never);
  EXPECT_EQ(result->status.signal, SIGSEGV);
  EXPECT_EQ(result->status.describe(), "signal 11 (SEGV)");
  const auto pretended = run_child({"sh", "-c", "exit 139"}, never);
  EXPECT_EQ(pretended->status.signal, 0);
  EXPECT_EQ(pretended->status.exit_code, 139);
}

TEST(ChildProcess, NeverWaitsForItsReader) {
  const auto result = run_child({"sh", "-c", "head -c 3000000 /dev/zero"}, never);
  EXPECT_EQ(result->out.size(), 3000000u);
}

TEST(ChildProcess, ItsOutputCanBeReadWhileItRuns) {
  auto child = ChildProcess::start(shell("echo early; echo told >&2; exec sleep 600"));
  ASSERT_TRUE(child) << child.error().message;
  for (int i = 0; i < 600 && (child->out_so_far().empty() || child->err_so_far().empty()); ++i)
    EXPECT_FALSE(child->wait_for(0.05));
  EXPECT_EQ(child->out_so_far(), "early\n");
  EXPECT_EQ(child->err_so_far(), "told\n");
}

TEST(ChildProcess, LeavesTheProcessorToOthers) {
  ChildCommand command = shell("nice");
  const int ours = std::stoi(run(command).out);
  command.niceness = 5;
  EXPECT_EQ(std::stoi(run(command).out), std::min(ours + 5, 19));
}

TEST(ChildProcess, KeepsNoMoreOutputThanWanted) {
  ChildCommand command = shell("head -c 300000 /dev/zero; echo end >&2");
  command.max_output_bytes = 1000;
  const ChildResult cut = run(command);
  EXPECT_TRUE(cut.succeeded()) << "it is not told";
  EXPECT_EQ(cut.out.size(), 1000u);
  EXPECT_EQ(cut.err, "end\n");
  EXPECT_TRUE(cut.is_cut);
  command.max_output_bytes = 0;
  EXPECT_EQ(run(command).out, "");
}

TEST(ChildProcess, SaysWhyItCannotBeStarted) {
  const auto result = run_child({"/no-such-program"}, never);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "/no-such-program: cannot be started: No such file or directory");
  EXPECT_FALSE(run_child({"no-such-program"}, never))
      << "by other reasons where a folder of $PATH is closed to us";
  ChildCommand command = shell("true");
  command.folder = "/nonexistent";
  EXPECT_FALSE(ChildProcess::start(command));
}

TEST(ChildProcess, HasTheEnvironmentAndTheFolderThatItIsGiven) {
  ::setenv("MASH_TEST_OURS", "ours", 1);
  ::setenv("MASH_TEST_BOTH", "ours", 1);
  ChildCommand command = shell("echo $MASH_TEST_OURS,$MASH_TEST_BOTH,$MASH_TEST_ITS; pwd");
  command.variables = {"MASH_TEST_BOTH=its", "MASH_TEST_ITS=its"};
  command.folder = "/";
  EXPECT_EQ(run(command).out, "ours,its,its\n/\n");
  command.inherits_environment = false;
  EXPECT_EQ(run(command).out, ",its,its\n/\n");
}

TEST(ChildProcess, GetsTheDescriptorsThatItIsGivenAndNoOthers) {
  int first[2], second[2];
  ASSERT_EQ(::pipe(first), 0);  // not closed by exec
  ASSERT_EQ(::pipe(second), 0);
  ChildCommand command = shell(
      "echo three >&3; echo four >&4; for i in 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$i ] && echo $i; done");
  command.descriptors = {second[1], first[1]};
  EXPECT_EQ(run(command).out, "3\n4\n");
  char text[8] = {};
  EXPECT_EQ(::read(second[0], text, sizeof text), 6);
  EXPECT_STREQ(text, "three\n");
  EXPECT_EQ(::read(first[0], text, sizeof text), 5);
  for (const int descriptor : {first[0], first[1], second[0], second[1]}) ::close(descriptor);
}

TEST(ChildProcess, IsEndedWhenItsWallTimeIsOver) {
  ChildCommand command = shell("echo begun; sleep 1000");
  command.limits.wall_seconds = 0.1;
  command.group = Group::kOwn;
  const Stopwatch watch;
  const ChildResult result = run(command);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.status.signal, SIGTERM);
  EXPECT_EQ(result.out, "begun\n");
  EXPECT_LT(watch.seconds(), 30);
}

TEST(ChildProcess, IsEndedByTheSystemWhenItUsesTooMuch) {
  ChildCommand busy = shell("while :; do :; done");
  busy.limits.cpu_seconds = 1;
  const ChildResult late = run(busy);
  EXPECT_EQ(late.status.signal, SIGXCPU) << late.status.describe();
  EXPECT_FALSE(late.timed_out);
  ChildCommand deaf = shell("trap '' XCPU; while :; do :; done");
  deaf.limits.cpu_seconds = 1;
  EXPECT_EQ(run(deaf).status.signal, SIGKILL);
  ChildCommand large = shell("head -c 100000 /dev/zero > \"$FILE\"");
  const std::string file = ::testing::TempDir() + "/large";
  large.variables = {"FILE=" + file};
  large.limits.file_bytes = 4096;
  EXPECT_FALSE(run(large).succeeded());
  ::unlink(file.c_str());
}

TEST(ChildProcess, IsWaitedForAsLongAsWanted) {
  ChildCommand command = shell("sleep 1000");
  command.group = Group::kOwn;
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->wait_for(0.02));
  EXPECT_FALSE(child->has_ended());
  EXPECT_GT(child->pid(), 0);
  child->end();
  EXPECT_EQ(child->pid(), 0);
  EXPECT_EQ(child->wait().status.signal, SIGTERM);
}

TEST(ChildProcess, WithoutPatienceIsKilledAtOnce) {
  ChildCommand command = shell("trap '' TERM; echo begun; while :; do sleep 0.1; done");
  command.group = Group::kOwn;
  command.patience_seconds = 0;
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->wait_for(0.1));
  child->end();
  EXPECT_EQ(child->wait().status.signal, SIGKILL);
}

bool is_there(pid_t group) {
  // A killed process is there until init has waited for it.
  const Stopwatch watch;
  while (::kill(-group, 0) == 0 && watch.seconds() < 20)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return ::kill(-group, 0) == 0;
}

// Also what the program started itself, and though it does not listen.
TEST(ChildProcess, OfAGroupOfItsOwnNothingRemains) {
  pid_t group = 0;
  {
    ChildCommand command = shell("trap '' TERM; sleep 1000 & echo $$; while :; do sleep 0.1; done");
    command.group = Group::kOwn;
    auto child = ChildProcess::start(command);
    ASSERT_TRUE(child) << child.error().message;
    EXPECT_FALSE(child->has_ended());
    group = child->pid();
  }
  EXPECT_FALSE(is_there(group));
}

TEST(ChildProcess, OfAGroupThatEndedByItselfNothingRemains) {
  ChildCommand command = shell("sleep 1000 & exit 4");
  command.group = Group::kOwn;
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child) << child.error().message;
  const pid_t group = child->pid();
  EXPECT_EQ(child->wait().status.exit_code, 4);
  EXPECT_FALSE(is_there(group));
}

TEST(RunChild, EndsTheProgramWhenItsTimeIsOver) {
  const StopFlag never;
  const auto result = run_child({"sh", "-c", "echo begun; while :; do :; done"}, never, .3);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE(result->timed_out);
  EXPECT_FALSE(result->succeeded());
  EXPECT_EQ(result->out, "begun\n");
}

TEST(RunChild, EndsTheProgramWhenTheFlagIsRaised) {
  const testing::ScratchFolder folder;
  const auto pid_file = folder / "pid";
  StopFlag stop;
  std::atomic<bool> is_over{false};
  std::thread stopper([&] {
    while (!std::filesystem::exists(pid_file) && !is_over)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop.raise();
  });
  const auto result =
      run_child({"/bin/sh", "-c",
                 fmt::format("sleep 1000 & echo $$ >{0}.new; mv {0}.new {0}; wait", pid_file.string())},
                stop);
  is_over = true;
  stopper.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kStopped);
  pid_t group = 0;
  std::ifstream(pid_file) >> group;
  ASSERT_GT(group, 0);
  EXPECT_FALSE(is_there(group));
}

TEST(ChildProcess, GivesItsResultOnce) {
  auto child = ChildProcess::start(shell("exit 4"));
  ASSERT_TRUE(child) << child.error().message;
  EXPECT_EQ(child->wait().status.exit_code, 4);
  EXPECT_THROW(child->wait(), std::logic_error);
}

// After its descriptors, which keep their numbers.
TEST(ChildProcess, IsHandedContentsAsFiles) {
  ChildCommand command = shell("cat <&4; cat <&5; echo >&5");
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  command.descriptors = {nothing};
  command.contents = {"first ", std::string(1 << 20, 'x')};
  const ChildResult result = run(command);
  EXPECT_EQ(result.out, "first " + command.contents[1]);
  EXPECT_FALSE(result.succeeded()) << "it cannot change them";
  ::close(nothing);
}

TEST(ChildProcess, RunsAsAnotherUserForGood) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may choose whom a program runs as";
  ChildCommand command = shell("id -u; id -g; id -G");
  command.user = {.id = 65534};
  EXPECT_EQ(run(command).out, "65534\n65534\n65534\n");
  command = shell("expr $(id -u) - $$");
  command.user = {.id = 1000000, .adds_process_id = true};
  EXPECT_EQ(run(command).out, "1000000\n");
  const testing::ScratchFolder closed;  // to others
  const std::filesystem::path program = closed / "program";
  std::filesystem::copy_file("/bin/true", program);
  command.arguments = {program.string()};
  EXPECT_THAT(ChildProcess::start(command).error().message,
              ::testing::HasSubstr("the user that it runs as cannot run it, or enter a folder above it"));
}

TEST(ChildProcess, HasTheLimitsThatItIsGiven) {
  ChildCommand command = shell("ulimit -n; ulimit -c");
  command.limits.open_files = 64;
  command.limits.core_bytes = 0;
  EXPECT_EQ(run(command).out, "64\n0\n");
}

}  // namespace
}  // namespace mash
