// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

namespace mash::testing {

// How much of a mapped file is in this process's memory.
inline std::size_t resident_bytes(const std::filesystem::path& path) {
  std::ifstream mappings("/proc/self/smaps");
  std::size_t kibibytes = 0;
  bool is_ours = false;
  for (std::string line; std::getline(mappings, line);) {
    if (line.find('-') < line.find(' '))  // "begin-end rights ... path" heads a mapping
      is_ours = line.ends_with(path.string());
    else if (is_ours && line.starts_with("Rss:"))
      kibibytes += std::stoul(line.substr(4));
  }
  return 1024 * kibibytes;
}

}  // namespace mash::testing
