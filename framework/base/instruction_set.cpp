// SPDX-License-Identifier: Apache-2.0
#include "framework/base/instruction_set.hpp"

#include <hwy/highway.h>

#include <cstring>
#include <vector>

namespace mash {

const char* instruction_set() { return hwy::TargetName(hwy::SupportedAndGeneratedTargets().front()); }

std::span<const char* const> instruction_sets() {
  static const std::vector<const char*> names = [] {
    std::vector<const char*> supported;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
      supported.push_back(hwy::TargetName(target));
    return supported;
  }();
  return names;
}

bool choose_instruction_set(const char* name) {
  hwy::SetSupportedTargetsForTest(0);
  if (*name == 0) return true;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (std::strcmp(hwy::TargetName(target), name) == 0) {
      hwy::SetSupportedTargetsForTest(target);
      return true;
    }
  return false;
}

}  // namespace mash
