// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace mash {
namespace {

// Whether the open file is still the one of that name: the process that held the lock before may have removed
// it.
bool is_at(int descriptor, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

Result<std::optional<FileLock>> FileLock::try_lock(const std::filesystem::path& path, Kind kind,
                                                   Missing missing) {
  const int flags = missing == Missing::kMake ? O_RDWR | O_CREAT : O_RDONLY;
  for (;;) {
    FileLock lock(::open(path.c_str(), flags | O_CLOEXEC, 0644));
    if (lock.descriptor_ < 0) {
      if (errno == ENOENT && missing == Missing::kLeave) return std::optional<FileLock>();
      return failure("{}: cannot be locked: {}", path.string(), std::strerror(errno));
    }
    if (::flock(lock.descriptor_, (kind == Kind::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) return std::optional<FileLock>();
      return failure("{}: cannot be locked: {}", path.string(), std::strerror(errno));
    }
    if (is_at(lock.descriptor_, path)) return std::optional<FileLock>(std::move(lock));
  }
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileLock::touch() const { ::futimens(descriptor_, nullptr); }

}  // namespace mash
