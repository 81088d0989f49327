// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file_lock.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using Kind = FileLock::Kind;

class FileLocks : public ::testing::Test {
 protected:
  bool is_free(Kind kind) const { return FileLock::try_lock(path_, kind)->has_value(); }

  testing::ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "lock";
};

TEST_F(FileLocks, AreSharedByManyOrHeldByOne) {
  {
    const auto first = FileLock::try_lock(path_, Kind::kShared);
    ASSERT_TRUE(first.ok() && first->has_value());
    EXPECT_TRUE(is_free(Kind::kShared));
    EXPECT_FALSE(is_free(Kind::kExclusive));
  }
  const auto alone = FileLock::try_lock(path_, Kind::kExclusive);
  ASSERT_TRUE(alone.ok() && alone->has_value()) << "the first let go";
  EXPECT_FALSE(is_free(Kind::kShared));
  EXPECT_FALSE(is_free(Kind::kExclusive));
}

TEST_F(FileLocks, OfAKilledProcessAreFree) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = FileLock::try_lock(path_, Kind::kExclusive);
    const char done = lock.ok() && lock->has_value() ? 'y' : 'n';
    if (::write(ready[1], &done, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char done = 0;
  ASSERT_EQ(::read(ready[0], &done, 1), 1);
  EXPECT_EQ(done, 'y');
  EXPECT_FALSE(is_free(Kind::kShared));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(is_free(Kind::kExclusive));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(FileLocks, MakeTheFileOnlyWhereThatIsWanted) {
  const auto left = FileLock::try_lock(path_, Kind::kExclusive, FileLock::Missing::kLeave);
  ASSERT_TRUE(left.ok());
  EXPECT_FALSE(left->has_value());
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_TRUE(FileLock::try_lock(path_, Kind::kShared)->has_value());
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(FileLocks, AreOfTheFileThatHasTheNameNow) {
  const auto old = FileLock::try_lock(path_, Kind::kExclusive);
  ASSERT_TRUE(old->has_value());
  std::filesystem::remove(path_);
  EXPECT_TRUE(is_free(Kind::kExclusive)) << "another file of that name is made";
}

TEST_F(FileLocks, WithoutAFolderAreAnError) {
  const auto lock = FileLock::try_lock(folder_ / "nothing/lock", Kind::kShared);
  ASSERT_FALSE(lock.ok());
  EXPECT_EQ(lock.error().kind, ErrorKind::kFailure);
}

}  // namespace
}  // namespace mash
