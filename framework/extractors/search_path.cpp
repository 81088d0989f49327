// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/search_path.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "framework/base/running_program.hpp"

namespace mash {
namespace {

bool is_folder(const std::filesystem::path& path) {
  std::error_code code;
  return std::filesystem::is_directory(path, code);
}

// The folders in `folder`, by name.
std::vector<std::filesystem::path> subfolders(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders;
  std::error_code code;
  for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code))
    if (is_folder(entry->path())) folders.push_back(entry->path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

// Adds a folder unless it is there already under some name.
void add_once(std::vector<std::filesystem::path>& folders, const std::filesystem::path& folder) {
  std::error_code code;
  const bool known = std::any_of(folders.begin(), folders.end(), [&](const std::filesystem::path& other) {
    return folder == other || std::filesystem::equivalent(folder, other, code);
  });
  if (!known) folders.push_back(folder);
}

std::vector<std::filesystem::path> folders_in_environment() {
  std::vector<std::filesystem::path> folders;
  const char* variable = std::getenv("MASH_HEURISTICS");
  std::string_view rest = variable ? variable : "";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    if (!folder.empty()) folders.emplace_back(folder);
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
  }
  return folders;
}

}  // namespace

std::vector<std::filesystem::path> installed_heuristic_folders(const std::filesystem::path& program) {
  const std::filesystem::path prefix = program.parent_path().parent_path();
  std::vector<std::filesystem::path> folders;
  const auto add_if_there = [&](const std::filesystem::path& folder) {
    if (is_folder(folder)) add_once(folders, folder);
  };
  add_if_there(prefix / "heuristics");  // a build tree
  for (const std::filesystem::path& library : subfolders(prefix)) {
    if (!library.filename().string().starts_with("lib")) continue;
    add_if_there(library / "mash" / "heuristics");
    for (const std::filesystem::path& multiarch : subfolders(library))
      add_if_there(multiarch / "mash" / "heuristics");
  }
  return folders;
}

std::vector<std::filesystem::path> heuristic_folders(std::span<const std::filesystem::path> extra) {
  std::vector<std::filesystem::path> folders;
  for (const std::filesystem::path& folder : extra) add_once(folders, folder);
  for (const std::filesystem::path& folder : folders_in_environment()) add_once(folders, folder);
  if (const std::filesystem::path program = running_program(); !program.empty())
    for (const std::filesystem::path& folder : installed_heuristic_folders(program))
      add_once(folders, folder);
  return folders;
}

}  // namespace mash
