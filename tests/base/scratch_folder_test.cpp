// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scratch_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

constexpr int kDepth = 300;

// Folders inside each other, more than FewDescriptors lets be open, and one without permissions, with a file;
// in the names that a folder gets that is moved.
void fill_with_folders(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "closed/inner/innermost");
  std::ofstream(folder / "closed/inner/file") << "text";
  std::ofstream(folder / "0") << "text";
  std::filesystem::create_directories(folder / "1/inner");
  ::chmod((folder / "closed/inner").c_str(), 0);
  ::chmod((folder / "closed").c_str(), 0);
  int place = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < kDepth; ++i) {
    ASSERT_EQ(::mkdirat(place, "folder", 0700), 0);
    const int inner = ::openat(place, "folder", O_RDONLY | O_DIRECTORY);
    ::close(place);
    place = inner;
  }
  ::close(place);
}

// At most a hundred descriptors, until the end.
class FewDescriptors {
 public:
  FewDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{100, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST(ScratchFolder, GoesWithFoldersAtAnyDepthAndThoseThatNobodyMayOpen) {
  std::optional<ScratchFolder> folder(*ScratchFolder::make("test"));
  const std::filesystem::path path = folder->path();
  fill_with_folders(path);
  ::chmod(path.c_str(), 0);
  const FewDescriptors few;
  folder.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ScratchFolder, LeavesWhatALinkInItNames) {
  const auto other = ScratchFolder::make("test");
  std::ofstream(*other / "file") << "text";
  std::optional<ScratchFolder> folder(*ScratchFolder::make("test"));
  std::filesystem::create_directory(*folder / "inner");
  std::filesystem::create_directory_symlink(other->path(), *folder / "inner/link");
  std::filesystem::create_directory_symlink(other->path(), *folder / "link");
  folder.reset();
  EXPECT_TRUE(std::filesystem::exists(*other / "file"));
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
    fill_with_folders(left->path());
    ::chmod(left->path().c_str(), 0);
    ::raise(SIGKILL);
  } else {
    ::waitpid(child, nullptr, 0);
  }
  ASSERT_EQ(count(), 1u);
  const FewDescriptors few;
  const auto next = ScratchFolder::make("test");
  EXPECT_EQ(count(), 0u);
  EXPECT_TRUE(std::filesystem::exists(used->path()));
}

}  // namespace
}  // namespace mash
