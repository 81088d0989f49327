// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "framework/base/instruction_set.hpp"

namespace mash::testing {

// The ways in which features are kept; each is another way for a search to get at them.
enum class Kept { kByColumn, kByRow, kOnDemand };

// An implementation and a way in which features are kept, both by name.
struct Target {
  std::string name;
  const char* implementation;
  Kept kept;
};
// All of them, the plain loops first.
inline std::vector<Target> all_targets() {
  std::vector<Target> targets;
  for (const char* implementation : instruction_sets())
    targets.push_back({implementation_name(implementation), implementation, Kept::kByColumn});
  std::swap(targets.front(), targets.back());  // plain loops, which all others are compared with
  const char* best = instruction_sets().front();
  targets.push_back({fmt::format("{} by row", implementation_name(best)), best, Kept::kByRow});
  targets.push_back({fmt::format("{} on demand", implementation_name(best)), best, Kept::kOnDemand});
  return targets;
}

}  // namespace mash::testing
