// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scratch_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "mash-tmp-";

// The folder, open and locked; -1: it is another's, or gone.
int lock_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat opened {
  }, named{};
  const bool is_ours = ::fstat(descriptor, &opened) == 0 && opened.st_uid == ::geteuid() &&
                       ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::lstat(folder.c_str(), &named) == 0 &&
                       named.st_ino == opened.st_ino;
  if (is_ours) return descriptor;
  ::close(descriptor);
  return -1;
}

// Folders of processes that are no more: their locks went with them.
void remove_left(const fs::path& parent) {
  std::error_code code;
  for (fs::directory_iterator entry(parent, code), end; !code && entry != end; entry.increment(code)) {
    if (!entry->path().filename().string().starts_with(kPrefix)) continue;
    const int lock = lock_folder(entry->path());
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
    ::close(lock);
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make(std::string_view name) {
  std::error_code code;
  const fs::path parent = fs::temp_directory_path(code);
  if (code) return failure("no temporary folder (see $TMPDIR): {}", code.message());
  remove_left(parent);
  for (;;) {
    std::string folder = (parent / fmt::format("{}{}-XXXXXX", kPrefix, name)).string();  // mkdtemp's pattern
    if (::mkdtemp(folder.data()) == nullptr)
      return failure("no temporary folder (see $TMPDIR): {}", std::strerror(errno));
    // Before it is locked, another process may take it for one that was left.
    if (const int lock = lock_folder(folder); lock >= 0) return ScratchFolder(folder, lock);
  }
}

ScratchFolder::ScratchFolder(fs::path path, int lock)
    : path_(std::move(path)), lock_(lock), owner_(::getpid()) {}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)), owner_(other.owner_) {}

ScratchFolder::~ScratchFolder() {
  std::error_code code;
  if (!path_.empty() && owner_ == ::getpid()) fs::remove_all(path_, code);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace mash
