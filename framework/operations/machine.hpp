// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "framework/records/records.hpp"

namespace mash {

// What this machine is, for the records and `mash doctor`.
MachineInfo this_machine();

// The most memory that this process has held so far, what it has mapped of files included; 0 where the system
// does not tell.
std::uint64_t peak_memory_bytes();

}  // namespace mash
