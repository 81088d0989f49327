// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"

namespace mash {

// The source of a contributor's heuristic.
struct HeuristicSource {
  std::filesystem::path place;  // a folder with a CMakeLists.txt, or a C++ source
  bool is_project = false;
};

// Whether a file's name is a name of a C++ source.
bool is_source(const std::filesystem::path& path);

// Finds the source or project at `place`. A folder with one source and no CMakeLists.txt stands for that
// source. Errors (kInput): there is nothing, or neither a source nor a project.
Result<HeuristicSource> find_heuristic_source(const std::filesystem::path& place);

// The folder of a project's build, within the project's folder.
inline constexpr const char* kBuildFolder = "build";

// The test of a source: FILE_test.cpp for FILE.cpp. It need not exist.
std::filesystem::path test_of(const std::filesystem::path& source);

// A result or its error, with the output of the compilers, linkers and tests that ran for it.
template <class T>
struct Diagnosed {
  Result<T> result;
  std::string diagnostics;
};

// Compiles a heuristic and returns the plugins that were made. A project is built by CMake in its folder
// `build`; a source becomes a plugin beside it. out: another place for the one plugin; may be empty.
// run_test: also run the tests of the project, or FILE_test.cpp beside FILE.cpp. Errors: there is no test to
// run (kInput); it does not compile, or a test fails (kFailure); the flag was raised, and the running
// compiler or test was ended (kStopped).
Diagnosed<std::vector<std::filesystem::path>> compile_heuristic(const HeuristicSource& source,
                                                                const std::filesystem::path& out,
                                                                bool run_test, const StopFlag& stop);

// Builds the plugins of a source (those of compile_heuristic) once more into `folder`, with address and
// undefined-behaviour sanitizers. Prints nothing of the compiler. Returns the library of the sanitizers,
// which a process has to load before it loads one of these plugins. Errors: the compiler has no sanitizers,
// or fails (kFailure); kStopped.
Result<std::filesystem::path> compile_sanitized(const HeuristicSource& source,
                                                const std::vector<std::filesystem::path>& plugins,
                                                const std::filesystem::path& folder, const StopFlag& stop);

}  // namespace mash
