// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/extractors/host.hpp"

namespace mash {

// A file that is not a usable plugin, with the reason in words.
struct RefusedPlugin {
  std::filesystem::path file;
  std::string reason;
};

// All heuristics that can be used: those of the search folders and those that the user named.
// A plugin found in a folder and refused is listed and does no harm; one that the user named is an error.
class Catalogue {
 public:
  // Looks through `folders` in order, each *.so in it by name. A second heuristic of the same id is refused.
  static Catalogue scan(std::span<const std::filesystem::path> folders);
  // Of the plugin files and folders that the user named, then of the usual folders (heuristic_folders).
  // Errors (kInput): a file that was named and is refused.
  static Result<Catalogue> open(std::span<const std::string> files_and_folders);
  // The same on top of what is there already, which wins where ids are the same.
  void search(std::span<const std::filesystem::path> folders);

  // Adds one plugin that the user named. Errors (kInput): whatever is wrong with it.
  Status add(const std::filesystem::path& file);

  // By id.
  const std::vector<HeuristicInfo>& heuristics() const { return heuristics_; }
  const std::vector<RefusedPlugin>& refused() const { return refused_; }

  // Errors (kInput): unknown id; lists the known ones, or says why the plugin of that name was refused.
  Result<const HeuristicInfo*> find(std::string_view id) const;

  // Runs the catalogue's heuristics in this process. Lives as long as the catalogue.
  HeuristicHost& host();

  Catalogue(Catalogue&&) noexcept;
  Catalogue& operator=(Catalogue&&) noexcept;
  ~Catalogue();

 private:
  Catalogue();
  class InProcessHost;
  Status add_plugin(const std::filesystem::path& file);

  std::vector<HeuristicInfo> heuristics_;
  std::vector<RefusedPlugin> refused_;
  std::unique_ptr<InProcessHost> host_;
};

// Where the heuristics that belong to a program lie, those that exist: <prefix>/lib*[/*]/mash/heuristics for
// <prefix>/bin/mash, <build>/heuristics for <build>/bin/mash.
std::vector<std::filesystem::path> installed_heuristic_folders(const std::filesystem::path& program);

// The folders that are searched: `extra` (--heuristics), $MASH_HEURISTICS (separated by ':'), then the
// installed ones (beside the program's lib folder or, in a build tree, the build's).
std::vector<std::filesystem::path> heuristic_folders(std::span<const std::filesystem::path> extra);

}  // namespace mash
