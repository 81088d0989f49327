// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/catalogue.hpp"

#include <algorithm>

#include "framework/base/require.hpp"
#include "framework/extractors/in_process_host.hpp"
#include "framework/extractors/plugin.hpp"
#include "framework/extractors/plugin_file.hpp"

namespace mash {
namespace {

constexpr std::string_view kNotSearched = "cannot be searched";  // begins the reason

// The shared libraries of a folder, by name; folders and files of other names are no plugins.
Result<std::vector<std::filesystem::path>> plugin_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code code;
  for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code))
    if (entry->path().extension() == ".so") files.push_back(entry->path());
  if (code) return input_error("{}: {}", kNotSearched, code.message());
  std::sort(files.begin(), files.end());
  return files;
}

// A project keeps its plugin in the folder of its build.
bool holds_plugins(const std::filesystem::path& folder) {
  const auto files = plugin_files(folder);
  return files.ok() && !files->empty();
}

}  // namespace

PluginAccess in_this_process(Remarks& remarks) {
  const auto describe = [](std::span<const std::filesystem::path> files) {
    std::vector<DescribedPlugin> described;
    for (const std::filesystem::path& path : files) {
      const auto file = read_plugin_file(path);
      described.push_back(file.ok() ? describe_in_process(*file) : file.error());
    }
    return described;
  };
  return {describe, std::make_unique<InProcessHost>(remarks)};
}

Catalogue::Catalogue(PluginAccess access) : access_(std::move(access)) {}

Catalogue Catalogue::scan(std::span<const std::filesystem::path> folders, PluginAccess access) {
  Catalogue catalogue(std::move(access));
  require(catalogue.search(folders).ok(), "Catalogue::scan: nobody stops it");
  return catalogue;
}

Result<Catalogue> Catalogue::open(std::span<const std::string> files_and_folders, PluginAccess access) {
  std::vector<std::filesystem::path> folders;
  std::vector<std::filesystem::path> files;
  Catalogue catalogue(std::move(access));
  for (const std::string& name : files_and_folders) {
    const std::filesystem::path path(name);
    std::error_code code;
    if (!std::filesystem::is_directory(path, code)) {
      files.push_back(path);
      continue;
    }
    const bool is_project = !holds_plugins(path) && std::filesystem::exists(path / "CMakeLists.txt", code);
    folders.push_back(is_project ? path / "build" : path);
    if (is_project && !holds_plugins(folders.back())) {
      folders.pop_back();
      catalogue.refused_.push_back(
          {path, "a project that is not built; mash heuristic build builds it", ErrorKind::kInput});
    }
  }
  for (const auto& file : files) MASH_TRY(catalogue.add(file));
  MASH_TRY(catalogue.search(heuristic_folders(folders)));
  return catalogue;
}

Status Catalogue::search(std::span<const std::filesystem::path> folders) {
  for (const std::filesystem::path& folder : folders) {
    const auto files = plugin_files(folder);
    if (!files.ok()) {
      refused_.push_back({folder, files.error().message, files.error().kind});
      continue;
    }
    MASH_ASSIGN(const auto described, access_.describe(*files));
    for (std::size_t i = 0; i < files->size(); ++i)
      if (const Status status = add_plugin(described[i]); !status.ok())
        refused_.push_back({(*files)[i], status.error().message, status.error().kind});
  }
  return Done{};
}

Status Catalogue::add(const std::filesystem::path& file) {
  MASH_ASSIGN(const auto described, access_.describe({&file, 1}));
  const Status status = add_plugin(described[0]);
  if (!status.ok()) return status.error().at(file.string());
  return Done{};
}

Status Catalogue::add_plugin(const DescribedPlugin& described) {
  if (!described.ok()) return described.error();
  std::vector<HeuristicInfo> merged = heuristics_;
  merged.insert(merged.end(), described->begin(), described->end());
  std::ranges::stable_sort(merged, {}, &HeuristicInfo::id);  // what was there before stays before it
  const auto twice = std::ranges::adjacent_find(merged, {}, &HeuristicInfo::id);
  if (twice != merged.end() && access_.host->is_shipped(*std::next(twice)) &&
      !access_.host->is_shipped(*twice))
    return input_error("heuristic '{}' is taken from {}, which did not come with this program", twice->id,
                       twice->plugin.string());
  if (twice != merged.end())
    return input_error("duplicate id: heuristic '{}' is already defined by {}", twice->id,
                       twice->plugin.string());
  heuristics_ = std::move(merged);
  return Done{};
}

Result<const HeuristicInfo*> Catalogue::find(std::string_view id) const {
  for (const HeuristicInfo& info : heuristics_)
    if (info.id == id) return &info;
  for (const RefusedPlugin& refused : refused_)
    if (refused.file.stem() == id)
      return Error{refused.kind, fmt::format("heuristic '{}' is not available: {} was refused: {}", id,
                                             refused.file.string(), refused.reason)};
  std::vector<std::string_view> known;
  for (const HeuristicInfo& info : heuristics_) known.push_back(info.id);
  Error unknown = unknown_name("heuristic", id, known);
  unknown.message += "; others are looked for where --heuristics and $MASH_HEURISTICS say";
  for (const RefusedPlugin& refused : refused_)
    if (refused.reason.starts_with(kNotSearched))
      unknown.message += fmt::format("; {} {}", refused.file.string(), refused.reason);
  return unknown;
}

}  // namespace mash
