// SPDX-License-Identifier: Apache-2.0
#include "tests/structure/checkout.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

namespace fs = std::filesystem;

bool is_left_out(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(".") || name == "node_modules" || name == "__pycache__" ||
         path == kSource / "build" || path == kSource / "out";
}

std::map<std::string, std::vector<std::string>> read_checkout() {
  std::map<std::string, std::vector<std::string>> folders;
  for (auto entry = fs::recursive_directory_iterator(kSource); entry != fs::recursive_directory_iterator();
       ++entry) {
    if (is_left_out(entry->path()))
      entry.disable_recursion_pending();
    else if (entry->is_regular_file())
      folders[entry->path().parent_path().lexically_relative(kSource).lexically_normal().string()].push_back(
          entry->path().filename().string());
  }
  folders[""] = std::move(folders["."]);
  folders.erase(".");
  for (auto& [folder, files] : folders) std::sort(files.begin(), files.end());
  return folders;
}

// All files, and all folders with files in them or below.
std::set<std::string> read_paths() {
  std::set<std::string> paths;
  for (const auto& [folder, files] : files_by_folder()) {
    for (const std::string& file : files) paths.insert((fs::path(folder) / file).string());
    for (fs::path above = folder; !above.empty(); above = above.parent_path()) paths.insert(above.string());
  }
  return paths;
}

// A regular expression for a name in which "*" and words in capitals stand for any text.
std::string expression(const std::string& name) {
  std::string text = std::regex_replace(name, std::regex("[.+]"), "\\$&");
  text = std::regex_replace(text, std::regex("\\*"), "[^/]*");
  return std::regex_replace(text, std::regex("(^|[^A-Za-z])[A-Z]+(_[A-Z]+)*(?![A-Za-z])"), "$1[^/]+");
}

}  // namespace

const std::map<std::string, std::vector<std::string>>& files_by_folder() {
  static const auto folders = read_checkout();
  return folders;
}

std::vector<std::string> paths_ending_with(const std::string& name) {
  static const std::set<std::string> paths = read_paths();
  std::vector<std::string> found;
  const auto ends_with_name = [&](const std::string& path) {
    return path == name || path.ends_with("/" + name);
  };
  std::copy_if(paths.begin(), paths.end(), std::back_inserter(found), ends_with_name);
  const std::string pattern = expression(name);
  if (!found.empty() || pattern.find("[^/]") == std::string::npos) return found;
  const std::regex any("(.*/)?" + pattern);
  std::copy_if(paths.begin(), paths.end(), std::back_inserter(found),
               [&](const std::string& path) { return std::regex_match(path, any); });
  return found;
}

}  // namespace mash::testing
