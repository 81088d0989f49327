// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/common/whole_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "framework/base/file.hpp"

namespace mash {

namespace fs = std::filesystem;

Status check_new_folder(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(fs::symlink_status(folder, code))) return Done{};
  if (!fs::is_directory(folder, code))
    return input_error("{}: is a file, expected a folder that is new or empty", folder.string());
  if (!fs::is_empty(folder, code))
    return input_error("{}: is not empty, expected a folder that is new or empty", folder.string());
  return Done{};
}

Status write_new_folder(const fs::path& folder, const std::vector<NewFile>& files) {
  std::error_code code;
  fs::path temporary = folder;
  temporary += fmt::format(".{}.tmp", ::getpid());
  Status status = [&]() -> Status {
    fs::create_directories(temporary, code);
    if (code == std::errc::not_a_directory || code == std::errc::file_exists)
      return input_error("{}: cannot be made: a folder of its path is a file", folder.string());
    if (code) return failure("{}: cannot be made: {}", folder.string(), code.message());
    for (const NewFile& file : files) MASH_TRY(write_file_atomically(temporary / file.name, file.text));
    if (::rename(temporary.c_str(), folder.c_str()) != 0)
      return failure("{}: cannot be made: {}", folder.string(), std::strerror(errno));
    return Done{};
  }();
  if (!status.ok()) fs::remove_all(temporary, code);
  return status;
}

}  // namespace mash
