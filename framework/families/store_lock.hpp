// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "framework/base/file_lock.hpp"
#include "framework/base/progress.hpp"

namespace mash {

// Rights of processes on a folder of the store. Two files in it are locked, always in this order:
//   lock  by a process that opens or computes the family, alone, for as long as that takes;
//   use   by all who have the family's files mapped, together, for as long as they have.
// Only who holds both alone may remove the folder.

// Makes the folder and locks `lock`; waits for others until the user asks to stop (kStopped).
Result<FileLock> lock_to_open(const std::filesystem::path& folder, const StopFlag& stop);

// That the family is in use, from now on. REQUIRES: lock_to_open is held.
Result<FileLock> lock_to_use(const std::filesystem::path& folder, const StopFlag& stop);

// Both, to remove the folder.
struct RemovalLock {
  std::optional<FileLock> lock, use;
};
// Nothing where a process opens or uses it. missing: of the two files; who only wants to know whether the
// folder is in use leaves them missing.
Result<std::optional<RemovalLock>> lock_to_remove(const std::filesystem::path& folder,
                                                  FileLock::Missing missing);

}  // namespace mash
