// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/base/progress.hpp"
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

// A result, with what compilers, linkers and tests printed on the way to it, also where there is none.
template <class T>
struct Diagnosed {
  Result<T> result;
  std::string diagnostics;
};

// A project is built by CMake in its folder `build`; a source becomes a plugin beside it. out: another place
// for the one plugin; may be empty. run_test: also the tests of the project, or FILE_test.cpp beside
// FILE.cpp. Gives the plugins that were made. Errors: there is no test to run (kInput); it does not compile,
// or a test fails (kFailure); the flag is raised, and the compiler or test that ran is ended (kStopped).
Diagnosed<std::vector<std::filesystem::path>> compile_heuristic(const HeuristicSource& source,
                                                                const std::filesystem::path& out,
                                                                bool run_test, const StopFlag& stop);

// Builds the plugins that a source was compiled to (compile_heuristic) once more into `folder`, with address
// and undefined-behaviour sanitizers and without a word of the compiler. Gives the library of the sanitizers,
// which a process has to load before it loads one of them. Errors: the compiler has none, or fails
// (kFailure); kStopped.
Result<std::filesystem::path> compile_sanitized(const HeuristicSource& source,
                                                const std::vector<std::filesystem::path>& plugins,
                                                const std::filesystem::path& folder, const StopFlag& stop);

}  // namespace mash
