// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mash {

// What a run has spent. Every evaluation of a feature is counted by the scan, nowhere else, so that no
// strategy can under-report.
struct Meters {
  std::uint64_t fe = 0;    // cost: candidates x examples of each pass that it adds, probes included
  std::uint64_t ops = 0;   // histogram additions: features x examples x classes, stored stocks included
  std::uint64_t ue = 0;    // evaluations of chosen learners: refits and weight updates
  std::uint64_t once = 0;  // feature evaluations before the first round
  double seconds = 0;      // wall seconds of training
};

}  // namespace mash
