// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"
#include "framework/operations/workshop/compile.hpp"
#include "framework/operations/workshop/compiler_messages.hpp"
#include "framework/records/submissions.hpp"

namespace mash {

// Limits for compiling a stranger's source.
struct CompileLimits {
  std::uint64_t source_bytes = kUsualSourceBytes;
  double wall_seconds = 60;
  std::uint64_t cpu_seconds = 30;                        // of each program
  std::uint64_t memory_bytes = std::uint64_t(2) << 30;   // of each program
  std::uint64_t file_bytes = std::uint64_t(64) << 20;    // of each file, the plugin among them
  std::uint64_t message_bytes = std::uint64_t(4) << 20;  // that the compiler prints
  std::size_t max_messages = 200;
};

struct BoxedCompilation {
  // kFailure: the source does not compile, or exceeds a limit (the message names it), or this machine cannot
  // make boxes. kInput: the source cannot be read. kStopped.
  Status status = Done{};
  // Whether the failure is the source's own: it does not compile or exceeds a limit. False where the machine
  // failed.
  bool is_of_source = false;
  std::vector<CompilerMessage> messages;  // also of a source that does compile
  std::filesystem::path plugin;           // where it was put
};

// Compiles one untrusted source to the plugin `out` (empty: beside the source), in a box
// (framework/isolation/box.hpp) that holds the source, the SDK and the system. The command is fixed: it takes
// no $CXX, no flags and no other files. The plugin leaves the box through a descriptor; it is neither
// inspected nor loaded. A project is refused (kInput), because it brings commands of its own.
BoxedCompilation compile_in_box(const HeuristicSource& source, const std::filesystem::path& out,
                                const CompileLimits& limits, const StopFlag& stop);

}  // namespace mash
