// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"
#include "framework/extractors/host.hpp"
#include "framework/operations/workshop/compiler_messages.hpp"
#include "framework/records/submissions.hpp"

namespace mash {

// The size of the view that a heuristic is shown right after it was built.
inline constexpr mash_size_t kFirstView = {28, 28};

struct BuildSettings {
  std::filesystem::path place = ".";  // a project's folder, or a C++ source
  std::filesystem::path out = {};     // where to put the plugin; empty: the usual place
  bool test = false;                  // also run the tests
  // Compile in a box by a fixed command (boxed_compile.hpp), and load in a box. For an untrusted source: one
  // file, without tests.
  bool box = false;
  std::uint64_t source_bytes = kUsualSourceBytes;  // the most that is compiled in a box
};

// A heuristic with its default settings on a few rendered digits.
struct FirstLook {
  HeuristicInfo info;
  Result<std::uint32_t> dim = 0;  // an error where it has no features on such a view
  double microseconds_per_image = 0;
  std::uint64_t num_faults = 0;  // values that were not finite
  std::string first_fault;
};
struct BuiltPlugin {
  std::filesystem::path file;
  std::vector<FirstLook> heuristics;
};

// The result of a build. It has the diagnostics also where the build failed.
struct BuildResult {
  // kInput: there is nothing to build; kFailure: it does not compile, a test fails, ...; kStopped
  Status status = Done{};
  std::string diagnostics;                // what compiler, linker and tests printed
  std::vector<CompilerMessage> messages;  // the same as data, of what was compiled in a box
  std::vector<BuiltPlugin> plugins;
  bool tested = false;
  double seconds = 0;  // of compiling and testing
};

// Compiles a heuristic, loads it as any plugin is loaded, and shows it a few digits.
BuildResult build_heuristic(const BuildSettings& settings, const WorkContext& work);

// The document that --json prints; its keys are a contract.
nlohmann::ordered_json to_json(const BuildResult& build);

}  // namespace mash
