// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"

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
  Status status = Done{};                      // why there is no plugin, or which test failed; kStopped
  std::vector<std::filesystem::path> plugins;  // that were made
  std::string diagnostics;                     // what compiler, linker and tests printed, unchanged
};

// A project is built by CMake in its folder `build`; a source becomes a plugin beside it. out: another place
// for the one plugin; may be empty. run_test: also the tests of the project, or FILE_test.cpp beside
// FILE.cpp. The status is kInput where there is no test to run. When the flag is raised, the compiler or the
// test that runs is ended.
Compilation compile_heuristic(const HeuristicSource& source, const std::filesystem::path& out, bool run_test,
                              const StopFlag& stop);

// A heuristic that somebody named, made ready to be loaded.
struct NamedPlugin {
  Status status = Done{};        // why a source gives no plugin
  std::filesystem::path plugin;  // FILE.so as it was named, or made of FILE.cpp; empty: the name is an id
  std::string diagnostics;       // what the compiler printed, also where there is no plugin
};
// name: the id of a heuristic, a plugin (FILE.so), or a C++ source, which is compiled to a plugin beside it.
// The diagnostics are told at once, as what follows may take long.
NamedPlugin find_named_plugin(const std::string& name, const WorkContext& work);

// A result, with what compilers printed on the way to it, also where there is none.
template <class T>
struct Diagnosed {
  Result<T> result;
  std::string diagnostics;
};

}  // namespace mash
