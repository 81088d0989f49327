// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/places.hpp"

namespace mash::testing {

inline const std::filesystem::path kSource = source_folder();

// The trees of the program, whose folders have a place in the flow, and all trees with sources.
inline const std::vector<std::string> kProgramTrees{"framework", "classifiers", "server"};
inline const std::vector<std::string> kSourceTrees{"framework", "classifiers", "server",
                                                   "sdk",       "heuristics",  "tests"};

// All C and C++ files below these folders of the source tree, sorted. Throws where a folder has none, so that
// no rule holds because it looks at nothing.
inline std::vector<std::filesystem::path> sources(const std::vector<std::string>& folders) {
  std::vector<std::filesystem::path> files;
  for (const std::string& folder : folders) {
    const std::size_t num_before = files.size();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / folder))
      if (const auto extension = entry.path().extension();
          extension == ".cpp" || extension == ".hpp" || extension == ".h")
        files.push_back(entry.path());
    if (files.size() == num_before) throw std::runtime_error("no sources below " + folder);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A file's path as rules write it: "framework/base/file.hpp".
inline std::string name_in_tree(const std::filesystem::path& path) {
  return std::filesystem::relative(path, kSource).string();
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::istringstream text(text_of(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace mash::testing
