// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/data_path.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "framework/base/file.hpp"
#include "framework/dataset/published.hpp"

namespace mash {
namespace {

// The file that this key names.
Result<std::filesystem::path> find_data_file(const Settings& settings, const std::string& key) {
  const std::filesystem::path path = settings.peek(key).value_or(""), folder = settings.folder(key);
  std::vector<std::string> places;
  if (path.is_relative() && !folder.empty()) places.push_back((folder / path).string());
  places.push_back(path.string());
  if (path.is_relative())
    for (const auto& root : data_roots()) places.push_back((root / path).string());
  std::error_code code;
  for (const std::string& place : places)
    if (std::filesystem::exists(place, code)) return std::filesystem::path(place);
  return input_error("{}: {}: no such file or folder; looked for {}", settings.where(key), key,
                     fmt::join(places, ", "));
}

// Advice for a data set that is not there.
std::string remedy(std::string_view format) {
  constexpr std::string_view kPath = "the key 'path' names another place";
  if (find_published(format)) return fmt::format("mash dataset get {} downloads it, or {}", format, kPath);
  return fmt::format("put its files there, or {}", kPath);
}

}  // namespace

std::filesystem::path user_dataset_folder() { return user_data_folder() / "datasets"; }

std::vector<std::filesystem::path> data_roots() {
  std::vector<std::filesystem::path> roots;
  if (const char* folder = std::getenv("MASH_DATA"); folder && *folder) roots.emplace_back(folder);
  roots.push_back(user_dataset_folder());
  return roots;
}

bool is_at_hand(std::string_view name) {
  std::error_code code;
  const auto roots = data_roots();
  return std::any_of(roots.begin(), roots.end(),
                     [&](const auto& root) { return std::filesystem::exists(root / name, code); });
}

Result<std::filesystem::path> find_data_path(Settings& settings, std::string_view format) {
  MASH_ASSIGN(const std::string path, settings.text("path", ""));
  if (settings.is_checking()) return std::filesystem::path();
  if (!path.empty()) return find_data_file(settings, "path");
  std::vector<std::string> places;
  for (const auto& root : data_roots()) places.push_back((root / format).string());
  std::error_code code;
  for (const std::string& place : places)
    if (std::filesystem::exists(place, code)) return std::filesystem::path(place);
  return input_error("data set {}: not found; looked for {}; {}", format, fmt::join(places, ", "),
                     remedy(format));
}

Result<PicturePlace> find_picture_place(Settings& settings, std::string_view format) {
  MASH_ASSIGN(const std::string list, settings.text("list", ""));
  PicturePlace place;
  if (list.empty() || settings.has("path")) {
    MASH_ASSIGN(place.folder, find_data_path(settings, format));
  }
  if (list.empty() || settings.is_checking()) return place;
  std::error_code code;
  place.list = place.folder / list;
  if (place.folder.empty() || !std::filesystem::exists(place.list, code)) {
    MASH_ASSIGN(place.list, find_data_file(settings, "list"));
  }
  if (place.folder.empty()) place.folder = place.list.parent_path();
  return place;
}

Result<TablePaths> find_table_paths(Settings& settings, std::string_view format) {
  TablePaths paths;
  MASH_ASSIGN(const std::string train, settings.text("path", ""));
  MASH_ASSIGN(const std::string test, settings.text("test_path", ""));
  if (train.empty())
    MASH_TRY(settings.refuse(
        input_error("data set {}: found no key 'path', expected it to name the table", format)));
  if (settings.is_checking()) return paths;
  MASH_ASSIGN(paths.train, find_data_file(settings, "path"));
  if (!test.empty()) {
    MASH_ASSIGN(paths.test, find_data_file(settings, "test_path"));
  }
  return paths;
}

}  // namespace mash
