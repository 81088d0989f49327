// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/extractors/heuristic_info.hpp"
#include "mash/abi/image.h"

namespace mash {

// Earlier descriptions of plugins, kept on disk by the SHA-256 of their files: a plugin that has not changed
// need not be run to be listed. A file is read once, when it is asked for, and written when the notes end or
// `write` says so, no matter how many heuristics are in it. Files that are missing, damaged or of another
// format know nothing; what cannot be written is not kept. [any thread]
class PluginNotes {
 public:
  // folder: of the files; empty: nothing is kept.
  explicit PluginNotes(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~PluginNotes() { write(); }
  PluginNotes(const PluginNotes&) = delete;
  PluginNotes& operator=(const PluginNotes&) = delete;

  // The heuristics of a plugin, without the file's name and hash.
  std::optional<std::vector<HeuristicInfo>> heuristics(const std::string& plugin_sha256);
  void keep(const std::string& plugin_sha256, const std::vector<HeuristicInfo>& heuristics);

  // The number of features of a heuristic with these parameters, for views of this size.
  std::optional<std::uint32_t> dim(const HeuristicInfo& info, std::span<const double> values,
                                   mash_size_t view_size);
  void keep_dim(const HeuristicInfo& info, std::span<const double> values, mash_size_t view_size,
                std::uint32_t dim);

  // Writes the files of which something is new.
  void write();

 private:
  // Those of one plugin; no heuristics: nothing is known of it.
  struct Notes {
    std::vector<HeuristicInfo> heuristics = {};
    std::map<std::string, std::uint32_t> dims = {};  // by heuristic, parameters and size
    bool is_changed = false;                         // since the file was read or written
  };

  std::filesystem::path file_of(const std::string& plugin_sha256) const;
  Notes read(const std::string& plugin_sha256) const;
  Notes& of(const std::string& plugin_sha256);

  std::filesystem::path folder_;
  std::mutex mutex_;
  std::map<std::string, Notes> notes_;  // by SHA-256
};

}  // namespace mash
