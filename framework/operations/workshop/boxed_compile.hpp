// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"
#include "framework/operations/workshop/compile.hpp"
#include "framework/operations/workshop/compiler_messages.hpp"

namespace mash {

// Limits for compiling a stranger's source.
struct CompileLimits {
  double wall_seconds = 60;
  std::uint64_t cpu_seconds = 30;                        // of each program
  std::uint64_t memory_bytes = std::uint64_t(2) << 30;   // of each program
  std::uint64_t file_bytes = std::uint64_t(64) << 20;    // of each file, the plugin among them
  std::uint64_t message_bytes = std::uint64_t(4) << 20;  // that the compiler prints
  std::size_t max_messages = 200;
};

struct BoxedCompilation {
  // kFailure: it does not compile, or needs more than it may (which limit); there can be no box here. kInput:
  // the source cannot be read. kStopped.
  Status status = Done{};
  // Whether that is the source's own fault: it does not compile, or needs more than it may; not that of this
  // machine.
  bool is_of_source = false;
  std::vector<CompilerMessage> messages;  // also of a source that does compile
  std::filesystem::path plugin;           // where it was put
};

// Compiles one source that nobody trusts to the plugin `out` (empty: beside the source), in a box
// (framework/isolation/box.hpp) that holds the source, the SDK and the system. The command is ours: no $CXX,
// no flags, nothing beside the source. The plugin leaves the box through a descriptor; it is neither looked
// into nor loaded. A project is refused (kInput): it brings commands of its own.
BoxedCompilation compile_in_box(const HeuristicSource& source, const std::filesystem::path& out,
                                const CompileLimits& limits, const StopFlag& stop);

}  // namespace mash
