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

// The plugins that were made, and what the compiler said.
struct CompiledHeuristic {
  std::vector<std::filesystem::path> plugins;
  std::string warnings;
};

// A project is built by CMake in its folder `build`; a source becomes a plugin beside it. out: another place
// for the one plugin; may be empty. run_test: also the tests of the project, or FILE_test.cpp beside
// FILE.cpp. Errors: kInput where there is no test to run; kFailure with the tool's output, as it is, on
// stderr.
Result<CompiledHeuristic> compile_heuristic(const HeuristicSource& source, const std::filesystem::path& out,
                                            bool run_test);

}  // namespace mash
