// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mash::checks {

// How much memory grew over calls of `cycle`. A first part is left out, in which buffers reach their size.
// Where the calls are slow there are fewer than num_cycles.
struct Growth {
  int num_cycles = 0;
  std::int64_t heap_bytes = 0;
  double steady_heap_bytes = 0;  // a cycle, in the half of the cycles in which that was less
  std::int64_t resident_bytes = 0;
};

}  // namespace mash::checks
