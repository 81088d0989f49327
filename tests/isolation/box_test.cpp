// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/box.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "framework/base/running_program.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
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
  const fs::path open_folder = folder / "open";
  fs::create_directory(open_folder);
  BoxPlan plan;
  plan.files = {{folder / "file", "/mash/file"}};
  EXPECT_EQ(run_boxed(command_of({"/usr/bin/cat", "/mash/file"}), plan).out, "content");
  EXPECT_FALSE(run_boxed(command_of({"/usr/bin/cat", folder / "file"}), plan).succeeded());
  plan.files = {{open_folder, "/mash/open"}};
  if (::geteuid() == 0)
    EXPECT_THAT(boxed(command_of({"/usr/bin/true"}), plan).error().message, HasSubstr("chmod o+rx"));
  else
    EXPECT_TRUE(run_boxed(command_of({"/usr/bin/ls", "/mash/open"}), plan).succeeded());
  plan.files = {{folder / "missing", "/mash/file"}};
  EXPECT_THAT(boxed(command_of({"/usr/bin/true"}), plan).error().message, HasSubstr("No such file"));
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

}  // namespace
}  // namespace mash
