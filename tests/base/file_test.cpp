// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using testing::ScratchFolder;

std::size_t num_files(const fs::path& folder) {
  return std::size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// Sets an environment variable for as long as it lives; null unsets it.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Environment() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }

 private:
  const char* name_;
  std::string old_;
};

TEST(ReadFile, GivesEveryByte) {
  ScratchFolder folder;
  const std::string content("a\0b\r\n\xff", 6);
  std::ofstream(folder / "f", std::ios::binary) << content;
  std::ofstream(folder / "empty");
  EXPECT_EQ(*read_file(folder / "f"), content);
  EXPECT_EQ(*read_file(folder / "empty"), "");
}

TEST(ReadFile, OfAFolderOrNothingIsAnErrorThatNamesIt) {
  ScratchFolder folder;
  for (const fs::path& path : {folder.path(), folder / "none"}) {
    const auto content = read_file(path);
    ASSERT_FALSE(content.ok());
    EXPECT_EQ(content.error().kind, ErrorKind::kInput);
    EXPECT_THAT(content.error().message, ::testing::StartsWith(path.string() + ": "));
  }
}

TEST(ReadFile, MoreThanIsWantedIsAnErrorBeforeItIsRead) {
  ScratchFolder folder;
  std::ofstream(folder / "f") << "12345";
  EXPECT_EQ(*read_file(folder / "f", 5), "12345");
  std::ofstream(folder / "large");
  fs::resize_file(folder / "large", kMostFileBytes + 1);  // no block of it is on the disk
  for (const auto& [path, most, words] :
       {std::tuple(folder / "f", std::uint64_t(4), "found 5 bytes, expected at most 4"),
        std::tuple(folder / "large", kMostFileBytes, "found 1073741825 bytes"),
        std::tuple(fs::path("/dev/zero"), kMostFileBytes, "found more than 67108864 bytes"),
        std::tuple(fs::path("/dev/zero"), kMostTextBytes, "found more than 16777216 bytes")}) {
    const auto content = read_file(path, most);
    ASSERT_FALSE(content.ok()) << path;
    EXPECT_EQ(content.error().kind, ErrorKind::kInput);
    EXPECT_THAT(content.error().message, ::testing::HasSubstr(words));
  }
}

TEST(WriteFileAtomically, ReplacesAndMakesFolders) {
  ScratchFolder folder;
  const fs::path path = folder / "a/b/file";
  ASSERT_TRUE(write_file_atomically(path, "one").ok());
  ASSERT_TRUE(write_file_atomically(path, "").ok());
  EXPECT_EQ(*read_file(path), "");
  ASSERT_TRUE(write_file_atomically(path, "three").ok());
  EXPECT_EQ(*read_file(path), "three");
  EXPECT_EQ(num_files(path.parent_path()), 1u) << "nothing is left beside it";
}

TEST(WriteFileAtomically, FailureLeavesTheOldAndNothingElse) {
  ScratchFolder folder;
  fs::create_directories(folder / "target/full");  // a folder cannot be replaced by a file
  const Status status = write_file_atomically(folder / "target", "new");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kFailure);
  EXPECT_THAT(status.error().message, ::testing::HasSubstr((folder / "target").string()));
  EXPECT_TRUE(fs::is_directory(folder / "target/full"));
  EXPECT_EQ(num_files(folder.path()), 1u);
}

TEST(WriteOutput, FollowsLinksToWhatIsThereOrNot) {
  ScratchFolder folder;
  fs::create_symlink("second", folder / "first");
  fs::create_symlink(folder / "end", folder / "second");
  for (const char* content : {"new", "newer"}) {
    ASSERT_TRUE(write_output(folder / "first", content).ok());
    EXPECT_EQ(*read_file(folder / "end"), content);
    EXPECT_TRUE(fs::is_symlink(folder / "first") && fs::is_symlink(folder / "second"));
  }
  EXPECT_EQ(num_files(folder.path()), 3u);
}

TEST(WriteOutput, WritesIntoAPipeAndLeavesIt) {
  ScratchFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_TRUE(write_output(pipe, "text").ok());
  std::string got(8, ' ');
  EXPECT_EQ(::read(reader, got.data(), got.size()), 4);
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(replaceable(pipe).error().kind, ErrorKind::kInput);
}

TEST(WriteFileAtomically, BelowAFileIsAnError) {
  ScratchFolder folder;
  std::ofstream(folder / "file") << "x";
  EXPECT_FALSE(write_file_atomically(folder / "file" / "below", "new").ok());
  EXPECT_EQ(*read_file(folder / "file"), "x");
}

TEST(WriteFileAtomically, ReadersSeeOneOfTheWholeFiles) {
  ScratchFolder folder;
  const fs::path path = folder / "f";
  ASSERT_TRUE(write_file_atomically(path, std::string(5000, 'a')).ok());
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i)
      EXPECT_TRUE(write_file_atomically(path, std::string(5000, char('b' + i % 20))).ok());
  });
  for (int i = 0; i < 500; ++i) {
    const auto content = read_file(path);
    ASSERT_TRUE(content.ok());
    ASSERT_EQ(*content, std::string(5000, (*content)[0]));
  }
  writer.join();
}

TEST(MappedFile, WritesAndReadsBack) {
  ScratchFolder folder;
  const fs::path path = folder / "mapped";
  {
    auto file = MappedFile::create(path, 10000);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->size(), 10000u);
    EXPECT_TRUE(std::ranges::all_of(file->bytes(), [](std::byte b) { return b == std::byte{0}; }));
    file->writable()[9999] = std::byte{7};
    EXPECT_TRUE(file->sync().ok());
    file->forget(0, file->size());
    EXPECT_EQ(file->bytes()[9999], std::byte{7}) << "the content is kept";
  }
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(file->size(), 10000u);
  EXPECT_EQ(file->bytes()[9999], std::byte{7});
}

TEST(MappedFile, CreateKeepsWhatFits) {
  ScratchFolder folder;
  const fs::path path = folder / "mapped";
  std::ofstream(path) << "abcdef";
  auto file = MappedFile::create(path, 3);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->size(), 3u);
  EXPECT_EQ(file->bytes()[2], std::byte{'c'});
  EXPECT_EQ(fs::file_size(path), 3u);
}

TEST(MappedFile, MovesWithItsMemory) {
  ScratchFolder folder;
  auto first = MappedFile::create(folder / "a", 100);
  MappedFile moved = *std::move(first);
  moved.writable()[5] = std::byte{1};
  MappedFile assigned;
  assigned = std::move(moved);
  EXPECT_EQ(assigned.bytes()[5], std::byte{1});
}

TEST(MappedFile, EmptyFileIsNoBytes) {
  ScratchFolder folder;
  std::ofstream(folder / "empty");
  const auto opened = MappedFile::open(folder / "empty");
  ASSERT_TRUE(opened.ok());
  EXPECT_TRUE(opened->bytes().empty());
  auto created = MappedFile::create(folder / "created", 0);
  ASSERT_TRUE(created.ok());
  EXPECT_TRUE(created->sync().ok());
}

TEST(MappedFile, ErrorsNameTheFile) {
  ScratchFolder folder;
  for (const auto& file :
       {MappedFile::open(folder / "none").error(), MappedFile::create(folder / "no/folder", 10).error(),
        MappedFile::create(folder.path(), 10).error()}) {
    EXPECT_EQ(file.kind, ErrorKind::kFailure);
    EXPECT_THAT(file.message, ::testing::HasSubstr(folder.path().string()));
  }
}

TEST(MappedFile, MoreThanTheDiskHoldsIsAnErrorAndNotACrash) {
  ScratchFolder folder;
  const auto file = MappedFile::create(folder / "huge", std::size_t(1) << 60);
  EXPECT_FALSE(file.ok());
}

TEST(RemoveOldestFiles, LeavesAsManyAsFit) {
  ScratchFolder folder;
  const auto now = std::filesystem::file_time_type::clock::now();
  for (int age = 1; age <= 4; ++age) {
    const std::filesystem::path path = folder / std::to_string(age);
    ASSERT_TRUE(write_file_atomically(path, std::string(10, 'x')).ok());
    std::filesystem::last_write_time(path, now - std::chrono::hours(age));
  }
  remove_oldest_files(folder.path(), 25);
  for (const char* name : {"1", "2"}) EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
  for (const char* name : {"3", "4"}) EXPECT_FALSE(std::filesystem::exists(folder / name)) << name;
  remove_oldest_files(folder / "none", 0);
}

TEST(UserFolders, FollowTheEnvironment) {
  const Environment home("HOME", "/home/x"), data("XDG_DATA_HOME", "/data"), cache("XDG_CACHE_HOME", nullptr);
  EXPECT_EQ(user_data_folder(), "/data/mash");
  EXPECT_EQ(user_cache_folder(), "/home/x/.cache/mash");
}

TEST(UserFolders, EmptyVariablesAreAsUnset) {
  const Environment home("HOME", "/home/x"), data("XDG_DATA_HOME", "");
  EXPECT_EQ(user_data_folder(), "/home/x/.local/share/mash");
}

}  // namespace
}  // namespace mash
