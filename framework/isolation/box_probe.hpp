// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mash {

// The only argument that makes mash-worker try the walls of the box that it is in.
inline constexpr const char* kProbeRequest = "probe";

// Limits that the box of a probe must have been given.
inline constexpr std::uint64_t kProbeAddressBytes = std::uint64_t(1) << 30;
inline constexpr std::uint64_t kProbeOpenFiles = 32;

// Tries each layer from within and prints "LAYER held" or "LAYER open: what it could do", a line each, for
// the layers user, namespaces, files, limits, landlock and system-calls. Its descriptor 3 is a folder that
// only its owner may read. The last thing that it does is to start a program, for which the kernel ends it.
[[noreturn]] void run_box_probe();

}  // namespace mash
