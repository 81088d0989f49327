// SPDX-License-Identifier: Apache-2.0
// While records are open, other processes see that SQLite has the file in use, with any others opened
// beside.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/records/sample.hpp"

namespace mash {
namespace {

// As another process finds it; the bytes are those of sqlite.org/fileformat2.html, "The Lock-Byte Page".
bool is_in_use(const std::filesystem::path& database) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(database.c_str(), O_RDWR);
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = (1 << 30) + 2;
    range.l_len = 510;
    const bool is_known = file >= 0 && ::fcntl(file, F_GETLK, &range) == 0;
    ::_exit(is_known && range.l_type != F_UNLCK ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

TEST(RecordsLock, StaysWhereTheSameFileIsOpenedOnceMore) {
  const sample::Folder folder;
  const auto path = folder / "mash.db";
  {
    const Records records = *Records::open(path);
    ASSERT_TRUE(is_in_use(path));
    { const Records more = *Records::open(path); }
    EXPECT_TRUE(is_in_use(path));
    {
      const RecordsReader reader = *Records::open_read_only(path);
      EXPECT_TRUE(reader.find_finished("none").ok());
    }
    EXPECT_TRUE(is_in_use(path));
  }
  EXPECT_FALSE(is_in_use(path));
}

}  // namespace
}  // namespace mash
