// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "framework/extractors/plugin_file.hpp"
#include "mash/abi/entry.h"

namespace mash {

// A plugin in this process, checked and understood; unloaded when the last owner lets go.
//
// Its static constructors have run, with all this program's rights: load only what the user trusts.
class Plugin {
 public:
  // Checks the file without running it, loads a private copy of it (so that another file under the same name
  // is another plugin, and replacing the file under a running program does no harm) and reads its
  // descriptors. Errors (kInput): why it is refused, without the file's name.
  static Result<std::shared_ptr<const Plugin>> load(const std::filesystem::path& file);
  // The same of a file that was read already: what was looked at is what is loaded.
  static Result<std::shared_ptr<const Plugin>> load(const PluginFile& file);
  // The same without a copy. loadable: names the content of `file` and nothing else for as long as the plugin
  // is loaded, a sealed descriptor for example.
  static Result<std::shared_ptr<const Plugin>> load(const PluginFile& file,
                                                    const std::filesystem::path& loadable);

  ~Plugin();

  // One per heuristic of the plugin; descriptors()[i] belongs to infos()[i].
  const std::vector<HeuristicInfo>& infos() const { return infos_; }
  std::span<const mash_heuristic_t* const> descriptors() const { return descriptors_; }

 private:
  class Library;
  explicit Plugin(std::unique_ptr<Library> library);
  static Result<std::shared_ptr<const Plugin>> understood(const PluginFile& file,
                                                          std::unique_ptr<Library> library);
  Status read_infos(const mash_plugin_info_t& entry);

  std::unique_ptr<Library> library_;  // before all that points into it
  std::vector<const mash_heuristic_t*> descriptors_;
  std::vector<HeuristicInfo> infos_;
};

// Descriptions of the heuristics of a plugin file. The plugin is loaded for as long as this takes.
// Errors: as Plugin::load.
Result<std::vector<HeuristicInfo>> describe_in_process(const PluginFile& file);

}  // namespace mash
