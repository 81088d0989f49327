// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "framework/base/child_process.hpp"
#include "framework/base/result.hpp"

namespace mash {

// Where the files of a box lie in it that are not the system's.
inline constexpr const char* kBoxFolder = "/mash";

// The user "nobody" of the system: a program in a box sees itself as this one.
inline constexpr std::uint32_t kNobody = 65534;

// A file or folder that a program in a box may read.
struct BoxFile {
  std::filesystem::path from;  // on the host
  std::filesystem::path to;    // in the box, absolute: below kBoxFolder
};

// Content and limits of a box, beside the system's programs and libraries.
struct BoxPlan {
  std::vector<BoxFile> files{};
  std::uint64_t temporary_bytes = std::uint64_t(16) << 20;  // of /tmp, and as many of /dev/shm: in memory
};

// The same command, to be run by bubblewrap in a box of its own, with nothing of the host but the processor,
// what it may read, and the descriptors that it is given:
// - started by root: as a dedicated user that owns no files; otherwise as the caller. The
//     user is changed before bubblewrap begins: a user namespace alone leaves root its files.
//   - user, process, network, IPC, host name and control group namespaces; no capability; a session of its
//     own. It sees no process but its own, no network, not even a loopback that others listen on, and the
//     user 65534.
//   - Read-only: /usr with its links (/lib, /bin, ...), /etc/alternatives, /etc/ld.so.cache, the program and
//     `plan.files`. No /proc, no /sys; of /dev null, zero, full, random and urandom. Writable and private:
//     /tmp and /dev/shm. Nothing that it writes is on a disk, and nothing is left.
//   - Its environment is `command.variables`, and variables that keep libraries from starting threads.
//   - The system calls of building_filter (system_calls.hpp); a worker takes more away from itself.
//   - `command.limits`, which hold for the program and not for bubblewrap: `processes` counts those in the
//     box.
//   - It ends with the process that bubblewrap runs as, which ends with this one; all that it has started
//     goes with it.
//
// In the command, arguments[0] is the program's absolute path on the host; outside of /usr it is put at
// kBoxFolder/NAME. The other arguments name paths in the box. `folder` is one in the box, by default /tmp.
// `descriptors` arrive as 3, 4, ... in the program, and are what results leave by: a pipe, or a memfd sealed
// against growing. The exit code of a program that a signal ends is 128 + its number, and 1 that of a box
// that cannot be made, with a line on stderr that begins with "bwrap: ".
//
// Errors (kFailure): bubblewrap is missing; a file of the plan is missing or cannot be read.
// REQUIRES: command.user and command.contents are not set.
Result<ChildCommand> boxed(ChildCommand command, const BoxPlan& plan);

}  // namespace mash
