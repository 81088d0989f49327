// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// A folder below $TMPDIR for what is thrown away. Removed with this, by the process that made it: not by one
// forked from that.
class ScratchFolder {
 public:
  // name: what the folder's begins with. Errors (kFailure): there is no temporary folder, or it is full.
  static Result<ScratchFolder> make(std::string_view name);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  explicit ScratchFolder(std::filesystem::path path);

  std::filesystem::path path_;  // empty: another's by now
  pid_t owner_;
};

}  // namespace mash
