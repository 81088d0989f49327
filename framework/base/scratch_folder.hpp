// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// A folder below $TMPDIR for what is thrown away. Removed with this, by the process that made it: not by one
// forked from that. The next that is made removes those that killed processes have left.
class ScratchFolder {
 public:
  // The folder's name begins with mash-tmp-NAME. Errors (kFailure): there is no temporary folder, or it is
  // full.
  static Result<ScratchFolder> make(std::string_view name);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  ScratchFolder(std::filesystem::path path, int lock);

  std::filesystem::path path_;  // empty: another's by now
  int lock_;                    // the folder, open and locked as long as its process lives
  pid_t owner_;
};

}  // namespace mash
