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
// Only a process that holds both locks alone may remove the folder.

// Makes the folder and locks `lock`. Waits for other processes. Errors: kStopped when the user asks to stop.
Result<FileLock> lock_to_open(const std::filesystem::path& folder, const StopFlag& stop);

// Locks `use`, which says that the family is in use from now on. REQUIRES: lock_to_open is held.
Result<FileLock> lock_to_use(const std::filesystem::path& folder, const StopFlag& stop);

// Both locks, held to remove the folder.
struct RemovalLock {
  std::optional<FileLock> lock, use;
};
// Takes both locks; nothing where a process opens or uses the family. missing: whether missing lock files are
// made. A caller that only asks whether the folder is in use leaves them missing.
Result<std::optional<RemovalLock>> lock_to_remove(const std::filesystem::path& folder,
                                                  FileLock::Missing missing);

}  // namespace mash
