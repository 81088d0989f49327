// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/picture_paths.hpp"

#include <algorithm>
#include <filesystem>

#include "framework/dataset/image_file.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

Result<std::vector<std::string>> pictures_below(const fs::path& folder) {
  std::vector<std::string> pictures;
  std::error_code code, unknown;
  for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code))
    if (has_image_extension(entry->path()) && !entry->is_directory(unknown))
      pictures.push_back(entry->path().string());
  if (code) return input_error("{}: cannot be read: {}", folder.string(), code.message());
  if (pictures.empty())
    return input_error(
        "{}: found no picture in the folder or below it, expected .png, .jpg, .bmp, .ppm, "
        ".pgm, .tif or .webp",
        folder.string());
  std::sort(pictures.begin(), pictures.end());
  return pictures;
}

}  // namespace

Result<std::vector<std::string>> picture_paths(const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    std::error_code code;
    if (!fs::is_directory(name, code)) {
      paths.push_back(name);
      continue;
    }
    MASH_ASSIGN(const std::vector<std::string> pictures, pictures_below(name));
    paths.insert(paths.end(), pictures.begin(), pictures.end());
  }
  return paths;
}

}  // namespace mash
