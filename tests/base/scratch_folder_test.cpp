// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scratch_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

namespace mash {
namespace {

TEST(ScratchFolder, IsItsOwnersAloneAndGoesWithAllThatIsInIt) {
  std::optional<ScratchFolder> folder(*ScratchFolder::make("test"));
  const std::filesystem::path path = folder->path();
  EXPECT_TRUE(path.filename().string().starts_with("mash-tmp-test-"));
  std::filesystem::create_directory(*folder / "inner");
  std::ofstream(*folder / "inner/file") << "text";
  std::optional<ScratchFolder> taken(std::move(*folder));
  folder.reset();
  EXPECT_TRUE(std::filesystem::exists(path / "inner/file"));
  taken.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ScratchFolder, IsLeftByAForkedProcess) {
  auto folder = ScratchFolder::make("test");
  ASSERT_TRUE(folder.ok());
  if (const pid_t child = ::fork(); child == 0) {
    { const ScratchFolder taken = *std::move(folder); }
    ::_exit(0);
  } else {
    ::waitpid(child, nullptr, 0);
  }
  EXPECT_TRUE(std::filesystem::exists(folder->path()));
}

TEST(ScratchFolder, WithoutATemporaryFolderIsAnError) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  const auto folder = ScratchFolder::make("test");
  before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().kind, ErrorKind::kFailure);
  EXPECT_TRUE(folder.error().message.starts_with("no temporary folder (see $TMPDIR): "));
}

// A process that was killed removes nothing; the next does, and leaves alone what is in use or another's.
TEST(ScratchFolder, OfAKilledProcessIsRemovedByTheNext) {
  const auto used = ScratchFolder::make("test");
  const std::filesystem::path parent = used->path().parent_path();
  const auto count = [&] {
    std::size_t found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(parent))
      found += entry.path().filename().string().starts_with("mash-tmp-killed-");
    return found;
  };
  if (const pid_t child = ::fork(); child == 0) {
    const auto left = ScratchFolder::make("killed");
    std::ofstream(*left / "file") << "text";
    ::raise(SIGKILL);
  } else {
    ::waitpid(child, nullptr, 0);
  }
  ASSERT_EQ(count(), 1u);
  const auto next = ScratchFolder::make("test");
  EXPECT_EQ(count(), 0u);
  EXPECT_TRUE(std::filesystem::exists(used->path()));
}

}  // namespace
}  // namespace mash
