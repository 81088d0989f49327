// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mash {

// Identity of a process, by which another process can later tell whether it still lives. A process number is
// used again, but never together with the same start tick and the same boot.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t start = 0;  // clock ticks from boot to its start; field 22 of /proc/PID/stat (proc(5))
  std::string boot_id;     // /proc/sys/kernel/random/boot_id
  bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity this_process();

// Whether this very process exists now. A zombie, which has ended but was not waited for, does not count.
bool is_alive(const ProcessIdentity& process);

}  // namespace mash
