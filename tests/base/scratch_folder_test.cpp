// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scratch_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <string>
#include <utility>

namespace mash {
namespace {

TEST(ScratchFolder, IsItsOwnersAloneAndGoesWithAllThatIsInIt) {
  std::optional<ScratchFolder> folder(*ScratchFolder::make("mash-test"));
  const std::filesystem::path path = folder->path();
  EXPECT_TRUE(path.filename().string().starts_with("mash-test-"));
  std::filesystem::create_directory(*folder / "inner");
  std::ofstream(*folder / "inner/file") << "text";
  std::optional<ScratchFolder> taken(std::move(*folder));
  folder.reset();
  EXPECT_TRUE(std::filesystem::exists(path / "inner/file"));
  taken.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ScratchFolder, IsLeftByAForkedProcess) {
  auto folder = ScratchFolder::make("mash-test");
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
  const auto folder = ScratchFolder::make("mash-test");
  before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().kind, ErrorKind::kFailure);
  EXPECT_TRUE(folder.error().message.starts_with("no temporary folder (see $TMPDIR): "));
}

}  // namespace
}  // namespace mash
