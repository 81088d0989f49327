// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/extractors/heuristic_info.hpp"
#include "mash/abi/image.h"

namespace mash {

// Earlier descriptions of plugins, kept on disk by the SHA-256 of their files: a plugin that has not changed
// need not be run to be listed. Files that are missing, damaged or of another format know nothing; what
// cannot be written is not kept. [any thread]
class PluginNotes {
 public:
  // folder: of the files; empty: nothing is kept.
  explicit PluginNotes(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The heuristics of a plugin, without the file's name and hash.
  std::optional<std::vector<HeuristicInfo>> heuristics(const std::string& plugin_sha256);
  void keep(const std::string& plugin_sha256, const std::vector<HeuristicInfo>& heuristics);

  // The number of features of a heuristic with these parameters, for views of this size.
  std::optional<std::uint32_t> dim(const HeuristicInfo& info, std::span<const double> values,
                                   mash_size_t view_size);
  void keep_dim(const HeuristicInfo& info, std::span<const double> values, mash_size_t view_size,
                std::uint32_t dim);

 private:
  std::filesystem::path file_of(const std::string& plugin_sha256) const;
  nlohmann::json read(const std::string& plugin_sha256) const;
  void write(const std::string& plugin_sha256, const nlohmann::json& notes) const;

  std::filesystem::path folder_;
  std::mutex mutex_;
};

}  // namespace mash
