// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/box_layers.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
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
  auto group = ControlGroup::make({std::uint64_t(256) << 20, 8});
  if (!group.ok()) GTEST_SKIP() << group.error().message;
  const fs::path prisoner = running_program().parent_path() / "prisoner";
  ChildCommand command;
  group->take_in(command);
  command.arguments = {prisoner.string(), "hog", std::to_string(16 << 20)};
  auto harmless = ChildProcess::start(command);
  ASSERT_TRUE(harmless.ok());
  EXPECT_TRUE(harmless->wait().succeeded());
  command.arguments = {prisoner.string(), "hog", std::to_string(600 << 20)};
  auto hungry = ChildProcess::start(command);
  ASSERT_TRUE(hungry.ok());
  EXPECT_EQ(hungry->wait().status.signal, SIGKILL);
}

// A group of version 2 for a user without rights, as a unit of systemd with Delegate= gets one.
class DelegatedGroup : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a group to a user";
    const std::string controllers = content_of(kTop / "cgroup.subtree_control");
    if (controllers.find("memory") == std::string::npos || controllers.find("pids") == std::string::npos)
      GTEST_SKIP() << "no control groups of version 2 with memory and pids in " << kTop;
    ASSERT_TRUE(fs::create_directory(group_));
    ASSERT_EQ(::chown(group_.c_str(), kUser, kUser), 0);
    for (const char* name : {"cgroup.procs", "cgroup.subtree_control", "cgroup.threads"})
      ASSERT_EQ(::chown((group_ / name).c_str(), kUser, kUser), 0) << name;
  }
  void TearDown() override {
    std::error_code code;
    for (fs::directory_iterator entry(group_, code), end; !code && entry != end; entry.increment(code))
      ::rmdir(entry->path().c_str());
    ::rmdir(group_.c_str());
  }
  // Whether `act` holds in a process of that user in the group, alone or beside another.
  bool holds_in_it(bool is_alone, bool (*act)()) {
    const pid_t other = is_alone ? 0 : start([] { return ::pause() == 0; });
    const pid_t child = start(act);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (other > 0) {
      ::kill(other, SIGKILL);
      ::waitpid(other, nullptr, 0);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  pid_t start(bool (*act)()) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    std::ofstream(group_ / "cgroup.procs") << ::getpid() << std::flush;
    const bool is_user = ::setgid(kUser) == 0 && ::setuid(kUser) == 0;
    ::_exit(is_user && act() ? 0 : 1);
  }
  static constexpr uid_t kUser = 65534;
  const fs::path kTop = "/sys/fs/cgroup";
  const fs::path group_ = kTop / fmt::format("delegated-{}", ::getpid());
};

TEST_F(DelegatedGroup, HoldsGroupsOfItsOnlyProcess) {
  EXPECT_TRUE(holds_in_it(true, [] {
    const GroupLimits limits{std::uint64_t(64) << 20, 8};
    const auto first = ControlGroup::make(limits), second = ControlGroup::make(limits);
    if (!first.ok() || !second.ok()) return false;
    ChildCommand command = sleeper();
    second->take_in(command);
    auto child = ChildProcess::start(command);
    if (!child.ok()) return false;
    const fs::path& folder = second->folders()[0];
    const bool is_in = content_of(folder / "cgroup.procs") == std::to_string(child->pid()) + "\n" &&
                       content_of(folder / "memory.max") == std::to_string(limits.memory_bytes) + "\n" &&
                       content_of(folder / "pids.max") == "8\n";
    child->end();
    return is_in;
  }));
}

// A shell, for example, is not moved from where it is.
TEST_F(DelegatedGroup, IsLeftAsItIsWhereOthersAreInIt) {
  EXPECT_TRUE(holds_in_it(false, [] {
    const std::string before = content_of("/proc/self/cgroup");
    return !ControlGroup::make({std::uint64_t(64) << 20, 8}).ok() &&
           content_of("/proc/self/cgroup") == before;
  }));
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
