// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scratch_folder.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace mash {

Result<ScratchFolder> ScratchFolder::make(std::string_view name) {
  std::error_code code;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(code);
  if (code) return failure("no temporary folder (see $TMPDIR): {}", code.message());
  std::string pattern = (parent / name).string() + "-XXXXXX";  // mkdtemp's own pattern
  if (::mkdtemp(pattern.data()) == nullptr)
    return failure("no temporary folder (see $TMPDIR): {}", std::strerror(errno));
  return ScratchFolder(pattern);
}

ScratchFolder::ScratchFolder(std::filesystem::path path) : path_(std::move(path)), owner_(::getpid()) {}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), owner_(other.owner_) {}

ScratchFolder::~ScratchFolder() {
  std::error_code code;
  if (!path_.empty() && owner_ == ::getpid()) std::filesystem::remove_all(path_, code);
}

}  // namespace mash
