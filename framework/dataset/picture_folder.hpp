// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// Files that are no pictures, by the ending of their names.
class OtherFiles {
 public:
  void add(const std::filesystem::path& file);
  void add(const OtherFiles& others);
  std::size_t count() const;
  // "2 .gif, 1 .txt, 1 without an ending": at most five endings, the most frequent first.
  std::string in_words() const;

 private:
  std::map<std::string, std::size_t> counts_;  // by ending, "" where there is none
};

// The entries of a folder, those that systems leave behind and hidden ones left out, in byte order of names.
struct FolderContent {
  std::vector<std::filesystem::path> pictures;  // by their endings, or by their first bytes
  std::vector<std::filesystem::path> folders;
  OtherFiles others;
};

// Errors (kInput): it is no folder or cannot be read.
Result<FolderContent> look_into(const std::filesystem::path& folder);

// The pictures in the folder and in all below it, in byte order of their paths from folder to folder, and the
// other files. Errors: as look_into; folders that are more than 100 levels deep.
struct PicturesBelow {
  std::vector<std::filesystem::path> pictures;
  OtherFiles others;
};
Result<PicturesBelow> pictures_below(const std::filesystem::path& folder);

// Whether the folder or one below it has a picture; false where it cannot be read.
bool has_picture_below(const std::filesystem::path& folder);

// The endings of names that pictures have, for an error: ".png, .jpg, ... or .webp".
inline constexpr std::string_view kPictureEndings = ".png, .jpg, .bmp, .ppm, .pgm, .tif or .webp";

}  // namespace mash
