// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "framework/extractors/host.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/extractors/search_path.hpp"

namespace mash {

// A file that is not a usable plugin, with the reason in words.
struct RefusedPlugin {
  std::filesystem::path file;
  std::string reason;
  ErrorKind kind = ErrorKind::kInput;  // kFailure: it could not be looked at, and may be usable
};

// The heuristics of a plugin file, at least one. Errors (kInput): why it is refused, without its name.
using DescribedPlugin = Result<std::vector<HeuristicInfo>>;

// Describes each of these plugin files. Errors: kStopped.
using DescribePlugins =
    std::function<Result<std::vector<DescribedPlugin>>(std::span<const std::filesystem::path>)>;

// How a catalogue looks at plugin files, and where it runs what it finds in them.
struct PluginAccess {
  DescribePlugins describe;
  std::unique_ptr<HeuristicHost> host;
};

// Both in this process. remarks: hear what heuristics log; outlive the host and its instances.
PluginAccess in_this_process(Remarks& remarks = no_remarks());

// All heuristics that can be used: those of the search folders and those that the user named. A plugin found
// in a folder and refused is listed and does no harm; one that the user named is an error.
//
//   1. A catalogue is made empty, or by scan or open.
//   2. add and search look at files by PluginAccess::describe; the catalogue itself never loads one.
//   3. host() runs what was found; it lives as long as the catalogue, its instances live longer if they must.
class Catalogue {
 public:
  explicit Catalogue(PluginAccess access = in_this_process());
  // Looks through `folders` in order, each *.so in it by name. A second heuristic of the same id is refused.
  // REQUIRES: nobody stops `access`.
  static Catalogue scan(std::span<const std::filesystem::path> folders,
                        PluginAccess access = in_this_process());
  // Holds the plugin files and folders that the user named, then the usual folders (heuristic_folders). The
  // folder of a project stands for that of its build.
  // Errors (kInput): a file that was named and is refused. kStopped.
  static Result<Catalogue> open(std::span<const std::string> files_and_folders,
                                PluginAccess access = in_this_process());

  // Looks through more folders. What is there already wins where ids are the same. Errors: kStopped.
  Status search(std::span<const std::filesystem::path> folders);
  // Adds one plugin that the user named. Errors (kInput): all that is wrong with it. kStopped.
  Status add(const std::filesystem::path& file);

  // By id.
  const std::vector<HeuristicInfo>& heuristics() const { return heuristics_; }
  const std::vector<RefusedPlugin>& refused() const { return refused_; }

  // Errors (kInput): unknown id; lists the known ones and the folders that cannot be searched, or says why
  // the plugin of that name was refused.
  // kFailure: that could not be looked at.
  Result<const HeuristicInfo*> find(std::string_view id) const;

  // Runs the catalogue's heuristics.
  HeuristicHost& host() { return *access_.host; }

 private:
  // All heuristics of a plugin or none. Errors (kInput): why it is refused, without the file's name.
  Status add_plugin(const DescribedPlugin& described);

  PluginAccess access_;
  std::vector<HeuristicInfo> heuristics_;
  std::vector<RefusedPlugin> refused_;
};

}  // namespace mash
