// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mash {

// Which process did something, so that another one can later tell whether it still lives: process numbers are
// used again, but not by a process that started in the same clock tick since the same boot.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t start = 0;  // clock ticks from boot to its start; field 22 of /proc/PID/stat (proc(5))
  std::string boot_id;     // /proc/sys/kernel/random/boot_id
  bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity this_process();

// Whether that very process exists now. One that has ended but was not waited for (a zombie) does not.
bool is_alive(const ProcessIdentity& process);

}  // namespace mash
