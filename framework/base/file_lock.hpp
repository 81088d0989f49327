// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "framework/base/result.hpp"

namespace mash {

// A lock on a file, shared by any number of processes or held by one alone (flock(2)). The kernel lets go of
// it when its process ends in any way; of one that was there at a fork, when both have ended.
class FileLock {
 public:
  enum class Kind { kShared, kExclusive };
  enum class Missing { kMake, kLeave };  // what is done where there is no such file

  // Does not wait: nothing where another holds it, or the file is missing and is left so. Errors (kFailure):
  // the file cannot be opened, such as for want of its folder.
  static Result<std::optional<FileLock>> try_lock(const std::filesystem::path& path, Kind kind,
                                                  Missing missing = Missing::kMake);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  // Sets the time of the file's last change to now.
  void touch() const;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace mash
