// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// Where a contributor's heuristic comes from.
struct HeuristicSource {
  std::filesystem::path place;  // a folder with a CMakeLists.txt, or a C++ source
  bool is_project = false;
};

// Whether a file's name is that of a C++ source.
bool is_source(const std::filesystem::path& path);

// A folder of one source without a CMakeLists.txt is that source.
// Errors (kInput): nothing there, or nothing of this kind.
Result<HeuristicSource> find_heuristic_source(const std::filesystem::path& place);

// Where in a project's folder its build lies.
inline constexpr const char* kBuildFolder = "build";

// FILE_test.cpp of FILE.cpp, which need not exist.
std::filesystem::path test_of(const std::filesystem::path& source);

// What came of compiling a heuristic.
struct Compilation {
  Status status = Done{};                      // why there is no plugin, or which test failed
  std::vector<std::filesystem::path> plugins;  // that were made
  std::string diagnostics;                     // what compiler, linker and tests printed, unchanged
};

// A project is built by CMake in its folder `build`; a source becomes a plugin beside it. out: another place
// for the one plugin; may be empty. run_test: also the tests of the project, or FILE_test.cpp beside
// FILE.cpp. The status is kInput where there is no test to run.
Compilation compile_heuristic(const HeuristicSource& source, const std::filesystem::path& out, bool run_test);

}  // namespace mash
