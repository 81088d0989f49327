// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scratch_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "mash-tmp-";

// Gives a folder of this user's back its permissions. The mode of a folder that cannot be opened to read is
// changed by way of /proc.
void allow_all(int parent, const char* name) {
  const int place = ::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat about {};
  if (place >= 0 && ::fstat(place, &about) == 0 && about.st_uid == ::geteuid())
    ::chmod(fmt::format("/proc/self/fd/{}", place).c_str(), S_IRWXU);
  if (place >= 0) ::close(place);
}

// The folder, open; -1: it is none, or another's.
int open_folder(int parent, const char* name) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const int descriptor = ::openat(parent, name, kFlags);
  if (descriptor >= 0 || errno != EACCES) return descriptor;
  allow_all(parent, name);
  return ::openat(parent, name, kFlags);
}

struct CloseStream {
  void operator()(DIR* stream) const { ::closedir(stream); }
};
using FolderStream = std::unique_ptr<DIR, CloseStream>;

// A folder's entries, which can be removed from now on; null: it cannot be opened.
FolderStream entries_of(int parent, const char* name) {
  const int descriptor = open_folder(parent, name);
  if (descriptor < 0) return nullptr;
  ::fchmod(descriptor, S_IRWXU);
  FolderStream stream(::fdopendir(descriptor));
  if (stream == nullptr) ::close(descriptor);
  return stream;
}

// The next entry's name; null at the end.
const char* next_name(DIR* stream) {
  for (const dirent* entry = nullptr; (entry = ::readdir(stream)) != nullptr;)
    if (std::string_view(entry->d_name) != "." && std::string_view(entry->d_name) != "..")
      return entry->d_name;
  return nullptr;
}

// Whether a file or an empty folder is gone now.
bool remove_entry(int parent, const char* name) {
  return ::unlinkat(parent, name, 0) == 0 || ::unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

// Whether a folder that lies deeper is in `top` now, under a name of its own: the next of `number`.
bool move_up(int parent, const char* name, int top, std::uint64_t& number) {
  entries_of(parent, name);  // makes it writable, without which it cannot be moved
  while (::renameat(parent, name, top, fmt::format("{}", number++).c_str()) != 0)
    if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) return false;
  return true;
}

// Removes an entry of `top`; folders in it that are not empty are moved to `top`. Whether anything was done.
bool take_apart(int top, const char* name, std::uint64_t& number) {
  if (remove_entry(top, name)) return true;
  const FolderStream folder = entries_of(top, name);
  if (folder == nullptr) return false;
  const int parent = ::dirfd(folder.get());
  bool has_changed = false;
  while (const char* inner = next_name(folder.get()))
    has_changed |= remove_entry(parent, inner) || move_up(parent, inner, top, number);
  return remove_entry(top, name) || has_changed;
}

// Removes all that is in an open folder, at any depth: with a few descriptors and without recursion, for
// which folders inside each other can be too many.
void remove_content(int top) {
  ::fchmod(top, S_IRWXU);
  std::uint64_t number = 0;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    const FolderStream entries = entries_of(top, ".");
    while (const char* name = entries ? next_name(entries.get()) : nullptr)
      has_changed |= take_apart(top, name, number);
  }
}

// The folder, open and locked; -1: it is another's, or gone.
int lock_folder(const fs::path& folder) {
  const int descriptor = open_folder(AT_FDCWD, folder.c_str());
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
    remove_content(lock);
    ::rmdir(entry->path().c_str());
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
  if (!path_.empty() && owner_ == ::getpid()) {
    remove_content(lock_);
    ::rmdir(path_.c_str());
  }
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace mash
