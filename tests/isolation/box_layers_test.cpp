// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/box_layers.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "framework/base/running_program.hpp"
#include "framework/isolation/control_group.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

TEST(BoxLayers, AreAllTold) {
  std::string names;
  for (const BoxLayer& layer : try_box_layers()) {
    names += layer.name + " ";
    EXPECT_FALSE(layer.finding.empty()) << layer.name;
    EXPECT_TRUE(layer.is_active || !layer.is_needed || layer.finding.find("cure: ") != std::string::npos)
        << layer.name << ": " << layer.finding;
  }
  EXPECT_EQ(names, "namespaces user files system-calls limits landlock control-groups ");
}

// Groups that root can make are none for programs that it starts as nobody; without any a bound is missing.
TEST(BoxLayers, SayForWhomThereAreControlGroups) {
  const BoxLayer groups = try_box_layers().back();
  EXPECT_FALSE(groups.is_needed);
  const char* told = !groups.is_active  ? "all boxes together have none"
                     : ::geteuid() == 0 ? "what mash serve starts as root runs as nobody"
                                        : "memory and processes of a whole box";
  EXPECT_NE(groups.finding.find(told), std::string::npos) << groups.finding;
}

TEST(BoxLayers, ThatMustHoldDecideOnTheBox) {
  const Status status = check_box();
  bool holds = true;
  for (const BoxLayer& layer : try_box_layers()) {
    if (!layer.is_needed || layer.is_active) continue;
    holds = false;
    ASSERT_FALSE(status.ok());
  }
  EXPECT_EQ(status.ok(), holds) << (status.ok() ? "" : status.error().message);
  if (!status.ok()) GTEST_SKIP() << status.error().message;
}

ChildCommand sleeper() {
  ChildCommand command;
  command.arguments = {"/usr/bin/sleep", "60"};
  command.group = ChildCommand::Group::kOwn;
  return command;
}

std::string content_of(const fs::path& file) {
  std::stringstream content;
  content << std::ifstream(file).rdbuf();
  return content.str();
}

TEST(ControlGroup, HoldsItsProgramsAndIsRemoved) {
  std::vector<fs::path> folders;
  {
    auto group = ControlGroup::make({std::uint64_t(64) << 20, 8});
    if (!group.ok()) GTEST_SKIP() << group.error().message;
    folders = group->folders();
    ASSERT_FALSE(folders.empty());
    ChildCommand command = sleeper();
    group->take_in(command);
    auto child = ChildProcess::start(command);
    ASSERT_TRUE(child.ok()) << child.error().message;
    for (const fs::path& folder : folders)
      EXPECT_EQ(content_of(folder / "cgroup.procs"), std::to_string(child->pid()) + "\n");
    child->end();
  }
  for (const fs::path& folder : folders) EXPECT_FALSE(fs::exists(folder)) << folder;
}

TEST(ControlGroup, EndsAProgramThatTakesTooMuchMemory) {
  auto group = ControlGroup::make({std::uint64_t(32) << 20, 8});
  if (!group.ok()) GTEST_SKIP() << group.error().message;
  const fs::path prisoner = running_program().parent_path() / "prisoner";
  ChildCommand command;
  group->take_in(command);
  command.arguments = {prisoner.string(), "hog", std::to_string(16 << 20)};
  auto harmless = ChildProcess::start(command);
  ASSERT_TRUE(harmless.ok());
  EXPECT_TRUE(harmless->wait().succeeded());
  command.arguments = {prisoner.string(), "hog", std::to_string(200 << 20)};
  auto hungry = ChildProcess::start(command);
  ASSERT_TRUE(hungry.ok());
  EXPECT_EQ(hungry->wait().status.signal, SIGKILL);
}

TEST(ControlGroup, LeftByADeadProcessIsRemoved) {
  auto group = ControlGroup::make({});
  if (!group.ok()) GTEST_SKIP() << group.error().message;
  ChildCommand command;
  command.arguments = {"/usr/bin/true"};
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child.ok());
  const int pid = child->pid();
  child->wait();
  const fs::path left = group->folders()[0].parent_path() / ("mash-" + std::to_string(pid) + "-1");
  fs::create_directory(left);
  EXPECT_TRUE(ControlGroup::make({}).ok());
  EXPECT_FALSE(fs::exists(left));
}

}  // namespace
}  // namespace mash
