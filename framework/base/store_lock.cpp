// SPDX-License-Identifier: Apache-2.0
#include "framework/base/store_lock.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockFile = "lock";
constexpr const char* kUseFile = "use";

// Tries again until `attempt` gives a lock.
template <class Attempt>
Result<FileLock> wait_for(const StopFlag& stop, const Attempt& attempt) {
  for (;;) {
    MASH_ASSIGN(auto lock, attempt());
    if (lock) return *std::move(lock);
    if (stop.raised()) return Error{ErrorKind::kStopped, "stopped while waiting for another process"};
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

// One attempt. Others that only look hold the locks for a moment.
Result<std::optional<RemovalLock>> try_to_lock(const fs::path& folder, FileLock::Missing missing) {
  RemovalLock locks;
  for (const auto& [name, lock] : {std::pair(kLockFile, &locks.lock), std::pair(kUseFile, &locks.use)}) {
    const fs::path file = folder / name;
    MASH_ASSIGN(*lock, FileLock::try_lock(file, FileLock::Kind::kExclusive, missing));
    std::error_code code;
    const bool is_left_missing = missing == FileLock::Missing::kLeave && !fs::exists(file, code);
    if (!*lock && !is_left_missing) return std::optional<RemovalLock>();
  }
  return std::optional(std::move(locks));
}

}  // namespace

Result<FileLock> lock_to_open(const fs::path& folder, const StopFlag& stop) {
  return wait_for(stop, [&]() -> Result<std::optional<FileLock>> {
    std::error_code code;
    fs::create_directories(folder, code);
    if (code) return failure("{}: cannot be made: {}", folder.string(), code.message());
    auto lock = FileLock::try_lock(folder / kLockFile, FileLock::Kind::kExclusive);
    // Another process may have removed the folder that was just made.
    if (!lock.ok() && !fs::exists(folder, code)) return std::optional<FileLock>();
    return lock;
  });
}

Result<FileLock> lock_to_use(const fs::path& folder, const StopFlag& stop) {
  return wait_for(stop, [&] { return FileLock::try_lock(folder / kUseFile, FileLock::Kind::kShared); });
}

Result<std::optional<RemovalLock>> lock_to_remove(const fs::path& folder, FileLock::Missing missing) {
  constexpr int kAttempts = 4;
  for (int attempt = 1;; ++attempt) {
    MASH_ASSIGN(auto locks, try_to_lock(folder, missing));
    if (locks || attempt == kAttempts) return locks;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace mash
