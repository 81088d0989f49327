// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/box.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "framework/base/running_program.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

fs::path prisoner() { return running_program().parent_path() / "prisoner"; }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

ChildResult run(const ChildCommand& command) {
  auto child = ChildProcess::start(command);
  EXPECT_TRUE(child.ok()) << child.error().message;
  if (!child.ok()) return {};
  return child->wait();
}

ChildCommand command_of(std::vector<std::string> arguments) {
  ChildCommand command;
  command.arguments = std::move(arguments);
  command.group = ChildCommand::Group::kOwn;
  command.limits.wall_seconds = 30;
  return command;
}

ChildResult run_boxed(const ChildCommand& command, const BoxPlan& plan = {}) {
  const auto in_box = boxed(command, plan);
  EXPECT_TRUE(in_box.ok()) << in_box.error().message;
  if (!in_box.ok()) return {};
  return run(*in_box);
}

ChildResult prisoner_does(std::vector<std::string> arguments, const ProcessLimits& limits = {}) {
  arguments.insert(arguments.begin(), prisoner().string());
  ChildCommand command = command_of(std::move(arguments));
  command.limits = limits;
  command.limits.wall_seconds = 30;
  return run_boxed(command);
}

// Skips where no box can be made, which `mash doctor` explains.
class Box : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers need calls that a box refuses";
#endif
    const auto in_box = boxed(command_of({"/usr/bin/true"}), {});
    if (!in_box.ok()) GTEST_SKIP() << in_box.error().message;
    const ChildResult result = run(*in_box);
    if (!result.succeeded()) GTEST_SKIP() << "no box here: " << result.err;
  }
};

TEST_F(Box, RunsAProgram) {
  const ChildResult result = run_boxed(command_of({"/usr/bin/echo", "hello"}));
  EXPECT_EQ(result.out, "hello\n") << result.err;
  EXPECT_TRUE(result.succeeded());
}

TEST_F(Box, RunsTheWorker) {
  const ChildResult result = run_boxed(command_of({running_program().parent_path() / "mash-worker"}));
  EXPECT_EQ(result.status.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("does nothing by itself"));
}

TEST_F(Box, GivesDescriptorsFromThreeOn) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ChildCommand command = command_of({prisoner().string(), "write", "4", "out of the box"});
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  command.descriptors = {nothing, ends[1]};
  EXPECT_TRUE(run_boxed(command).succeeded());
  ::close(ends[1]);
  ::close(nothing);
  char text[64] = {};
  EXPECT_GT(::read(ends[0], text, sizeof text - 1), 0);
  EXPECT_STREQ(text, "out of the box");
  ::close(ends[0]);
}

TEST_F(Box, ShowsFilesAndFoldersOfThePlan) {
  const testing::ScratchFolder folder;  // nobody else may read it
  std::ofstream(folder / "file") << "content";
  fs::create_directories(folder / "headers" / "detail");
  std::ofstream(folder / "headers" / "detail" / "one.hpp") << "of a folder";
  fs::create_directory(folder / "empty");
  BoxPlan plan;
  plan.files = {{folder / "file", "/mash/file"}};
  EXPECT_EQ(run_boxed(command_of({"/usr/bin/cat", "/mash/file"}), plan).out, "content");
  EXPECT_FALSE(run_boxed(command_of({"/usr/bin/cat", folder / "file"}), plan).succeeded());
  plan.files = {{folder / "headers", "/mash/headers"}, {folder / "empty", "/mash/empty"}};
  EXPECT_EQ(run_boxed(command_of({"/usr/bin/cat", "/mash/headers/detail/one.hpp"}), plan).out, "of a folder");
  EXPECT_TRUE(run_boxed(command_of({"/usr/bin/ls", "/mash/empty"}), plan).succeeded());
  plan.files = {{folder / "missing", "/mash/file"}};
  EXPECT_THAT(boxed(command_of({"/usr/bin/true"}), plan).error().message, HasSubstr("No such file"));
}

// Each file takes a descriptor.
TEST_F(Box, HandsOverNoMoreThanSomeFilesOfAFolderThatItsUserCannotRead) {
  if (::geteuid() != 0) GTEST_SKIP() << "not root: boxes run as this user";
  const testing::ScratchFolder folder;
  for (int i = 0; i < 201; ++i) std::ofstream(folder / std::to_string(i)) << i;
  BoxPlan plan;
  plan.files = {{folder.path(), "/mash/many"}};
  EXPECT_THAT(boxed(command_of({"/usr/bin/true"}), plan).error().message,
              AllOf(HasSubstr("more than the 200 files"), HasSubstr("chmod o+rx")));
  fs::remove(folder / "0");
  EXPECT_EQ(run_boxed(command_of({"/usr/bin/cat", "/mash/many/200"}), plan).out, "200");
}

TEST_F(Box, RefusesEveryForbiddenCallAndPath) {
  const std::vector<std::string> names = lines_of(prisoner_does({"list"}).out);
  EXPECT_GE(names.size(), 60u);
  for (const std::string& name : names) {
    const ChildResult result = prisoner_does({"attempt", name});
    if (result.status.exit_code == 128 + SIGSYS) continue;
    EXPECT_EQ(result.status.exit_code, 0) << name << ": " << result.status.describe() << result.err;
    EXPECT_THAT(result.out, AnyOf("EPERM\n", "EACCES\n", "ENOENT\n")) << name;
  }
}

// Traps of boxes, each of which let something through once.

// A user namespace leaves root its files.
TEST_F(Box, LeavesRootNoFilesOfItsOwn) {
  if (::geteuid() != 0) GTEST_SKIP() << "not root";
  const testing::ScratchFolder closed;
  const int folder = ::open(closed.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  ChildCommand command = command_of({prisoner().string(), "enter", "3"});
  command.descriptors = {folder};
  EXPECT_EQ(run(command).out, "allowed\n") << "as root";
  EXPECT_EQ(run_boxed(command).out, "EACCES\n");
  ::close(folder);
}

TEST_F(Box, RunsAsAUserOfItsOwn) {
  EXPECT_EQ(prisoner_does({"user"}).out, "65534 65534\n");
  const auto owner = [](const ChildProcess& child) {
    struct stat status {};
    ::stat(("/proc/" + std::to_string(child.pid())).c_str(), &status);
    return status.st_uid;
  };
  const auto command = boxed(command_of({"/usr/bin/sleep", "60"}), {});
  ASSERT_TRUE(command.ok());
  const auto first = ChildProcess::start(*command), second = ChildProcess::start(*command);
  ASSERT_TRUE(first.ok() && second.ok());
  if (::geteuid() != 0) {
    EXPECT_EQ(owner(*first), ::geteuid());
    return;
  }
  EXPECT_NE(owner(*first), 0u);
  EXPECT_TRUE(owner(*first) != owner(*second) || !command->user->adds_process_id);
}

// The environment of bubblewrap itself could be read in the box.
TEST_F(Box, HidesTheEnvironment) {
  ::setenv("MASH_TEST_SECRET", "secret", 1);
  ChildCommand command = command_of({prisoner().string(), "environment"});
  command.variables = {"GIVEN=1"};
  const std::string seen = run_boxed(command).out;
  EXPECT_THAT(lines_of(seen), IsSupersetOf({"GIVEN=1"}));
  EXPECT_THAT(seen, AllOf(Not(HasSubstr("SECRET")), Not(HasSubstr("HOME")), Not(HasSubstr("PATH"))));
  const auto in_box = boxed(command, {});
  ASSERT_TRUE(in_box.ok());
  EXPECT_FALSE(in_box->inherits_environment) << "bubblewrap has none either";
  ::unsetenv("MASH_TEST_SECRET");
}

TEST_F(Box, ClosesDescriptors) {
  const int open = ::open("/etc/passwd", O_RDONLY);  // no O_CLOEXEC
  ASSERT_GE(open, 3);
  EXPECT_EQ(prisoner_does({"descriptors"}).out, "0\n1\n2\n");
  ::close(open);
}

// Bubblewrap's own first process must be able to wait for the others.
TEST_F(Box, WaitsForAllThatAProgramStarts) {
  const ChildResult result =
      run_boxed(command_of({"/usr/bin/sh", "-c", "(echo one; echo two) | /usr/bin/cat; exit 3"}));
  EXPECT_EQ(result.out, "one\ntwo\n");
  EXPECT_EQ(result.status.exit_code, 3) << result.err;
}

TEST_F(Box, HasBoundedMemoryForFilesAndNoneElsewhere) {
  BoxPlan plan;
  plan.temporary_bytes = 1 << 20;
  for (const char* file : {"/tmp/file", "/dev/shm/file"})
    EXPECT_EQ(run_boxed(command_of({prisoner().string(), "fill", file}), plan).out, "1048576\n") << file;
  for (const char* file : {"/file", "/dev/file", "/usr/file", "/mash/file"})
    EXPECT_EQ(prisoner_does({"fill", file}).out, "EROFS\n") << file;
}

// OpenCV links a library through /etc/alternatives, and opens files when it first needs them.
TEST_F(Box, LetsOpenCvCompute) {
  const fs::path library = running_program().parent_path() / "libopencv_user.so";
  BoxPlan plan;
  plan.files = {{library, "/mash/libopencv_user.so"}};
  const ChildResult result =
      run_boxed(command_of({prisoner().string(), "library", "/mash/libopencv_user.so"}), plan);
  EXPECT_TRUE(result.succeeded()) << result.status.describe() << result.out << result.err;
  EXPECT_GT(std::atof(result.out.c_str()), 0) << result.out;
}

TEST_F(Box, LeavesNothingOnTheHost) {
  const fs::path name = "/tmp/mash-box-test-" + std::to_string(::getpid());
  EXPECT_TRUE(run_boxed(command_of({"/usr/bin/ln", "-s", "/etc/passwd", name})).succeeded());
  EXPECT_FALSE(fs::is_symlink(name));
}

TEST_F(Box, LimitsItsProgram) {
  ProcessLimits memory, processes, files, processor;
  memory.address_bytes = std::uint64_t(256) << 20;
  EXPECT_EQ(prisoner_does({"hog", std::to_string(512 << 20)}, memory).out, "ENOMEM\n");
  processes.processes = 4;
  EXPECT_EQ(prisoner_does({"fork"}, processes).out, "3\n") << "it is one of them";
  files.file_bytes = 1 << 16;
  EXPECT_EQ(prisoner_does({"fill", "/tmp/file"}, files).status.exit_code, 128 + SIGXFSZ);
  processor.cpu_seconds = 1;
  EXPECT_EQ(prisoner_does({"spin"}, processor).status.exit_code, 128 + SIGXCPU);
}

// However early: bubblewrap's own processes are not yet bound to each other.
TEST_F(Box, CanBeEndedWhileItBegins) {
  for (int i = 0; i < 40; ++i) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    ChildCommand command = command_of({prisoner().string(), "spin"});
    command.descriptors = {ends[1]};
    const auto in_box = boxed(command, {});
    ASSERT_TRUE(in_box.ok());
    auto child = ChildProcess::start(*in_box);
    ASSERT_TRUE(child.ok());
    ::close(ends[1]);
    ::usleep(useconds_t(i * 200));
    child->end();
    pollfd end{ends[0], POLLIN, 0};
    EXPECT_EQ(::poll(&end, 1, 5000), 1)
        << "ended after " << i * 200 << " µs, and somebody still holds the pipe";
    ::close(ends[0]);
  }
}

// The process that starts a box may be killed at any moment.
TEST_F(Box, EndsWithItsHostHoweverThatEnds) {
  for (int i = 0; i < 40; ++i) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t host = ::fork();
    if (host == 0) {
      ChildCommand command = command_of({prisoner().string(), "spin"});
      command.descriptors = {ends[1]};
      const auto in_box = boxed(command, {});
      const auto child = ChildProcess::start(*in_box);
      ::close(ends[1]);
      ::usleep(useconds_t(i * 200));
      ::kill(::getpid(), SIGKILL);
    }
    ::close(ends[1]);
    EXPECT_EQ(::waitpid(host, nullptr, 0), host);
    pollfd end{ends[0], POLLIN, 0};
    EXPECT_EQ(::poll(&end, 1, 5000), 1)
        << "killed after " << i * 200 << " µs, and somebody still holds the pipe";
    ::close(ends[0]);
  }
}

// A process that has left its parent and its session would go on.
TEST_F(Box, TakesAllWithItWhenItEnds) {
  for (const bool is_ended_by_us : {false, true}) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    ChildCommand command = command_of({prisoner().string(), is_ended_by_us ? "spin" : "daemon"});
    command.descriptors = {ends[1]};
    const auto in_box = boxed(command, {});
    ASSERT_TRUE(in_box.ok());
    auto child = ChildProcess::start(*in_box);
    ASSERT_TRUE(child.ok());
    ::close(ends[1]);
    if (is_ended_by_us)
      child->end();
    else
      EXPECT_TRUE(child->wait().succeeded());
    pollfd end{ends[0], POLLIN, 0};
    EXPECT_EQ(::poll(&end, 1, 5000), 1) << "somebody still holds the pipe";
    EXPECT_TRUE(end.revents & POLLHUP);
    ::close(ends[0]);
  }
}

}  // namespace
}  // namespace mash
