// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

namespace mash::testing {

// Whether boxes can be made here at all.
inline bool has_box() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;  // sanitizers need what a box refuses
#else
  return ::access("/usr/bin/bwrap", X_OK) == 0;
#endif
}
inline constexpr const char* kNoBox = "bubblewrap is not installed, or this program has sanitizers";

}  // namespace mash::testing
