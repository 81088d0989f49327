// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/catalogue.hpp"

#include <algorithm>

#include "framework/base/require.hpp"
#include "framework/extractors/in_process_host.hpp"
#include "framework/extractors/plugin.hpp"
#include "framework/extractors/plugin_file.hpp"

namespace mash {
namespace {

// The shared libraries of a folder, by name; folders and files of other names are no plugins.
Result<std::vector<std::filesystem::path>> plugin_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code code;
  for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code))
    if (entry->path().extension() == ".so") files.push_back(entry->path());
  if (code) return input_error("cannot be searched: {}", code.message());
  std::sort(files.begin(), files.end());
  return files;
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
  for (const std::string& path : files_and_folders) {
    std::error_code code;
    if (std::filesystem::is_directory(path, code))
      folders.emplace_back(path);
    else
      files.emplace_back(path);
  }
  Catalogue catalogue(std::move(access));
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
  return unknown_name("heuristic", id, known);
}

}  // namespace mash
