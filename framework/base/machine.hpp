// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mash {

// A machine that runs and measurements are made on.
struct MachineInfo {
  std::string cpu, os, instruction_set;
  int num_cores = 0;
  std::uint64_t memory_bytes = 0;
};

// The one that this program runs on; what it does not tell stays empty.
MachineInfo this_machine();

// The memory that processes can get before the system has to write out that of others; 0 where it does not
// tell.
std::uint64_t available_memory_bytes();

// The most memory that this process has held so far, what it has mapped of files included; 0 where the system
// does not tell.
std::uint64_t peak_memory_bytes();

}  // namespace mash
