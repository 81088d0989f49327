// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/picture_paths.hpp"

#include <algorithm>
#include <filesystem>

#include "framework/dataset/picture_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

Result<std::vector<std::string>> pictures_of(const fs::path& folder, Remarks& remarks) {
  MASH_ASSIGN(const PicturesBelow below, pictures_below(folder));
  if (below.pictures.empty())
    return input_error("{}: found no picture in the folder or below it{}, expected {}", folder.string(),
                       below.others.count() > 0 ? fmt::format(", but {}", below.others.in_words()) : "",
                       kPictureEndings);
  if (below.others.count() > 0)
    remarks.tell(fmt::format("{}: files that are no pictures were left out: {}", folder.string(),
                             below.others.in_words()));
  std::vector<std::string> pictures;
  for (const fs::path& picture : below.pictures) pictures.push_back(picture.string());
  std::sort(pictures.begin(), pictures.end());
  return pictures;
}

}  // namespace

Result<std::vector<std::string>> picture_paths(const std::vector<std::string>& names, Remarks& remarks) {
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    std::error_code code;
    if (!fs::is_directory(name, code)) {
      paths.push_back(name);
      continue;
    }
    MASH_ASSIGN(const std::vector<std::string> pictures, pictures_of(name, remarks));
    paths.insert(paths.end(), pictures.begin(), pictures.end());
  }
  return paths;
}

}  // namespace mash
