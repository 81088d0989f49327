// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <type_traits>

#include "framework/base/result.hpp"

namespace mash {

// Thrown where the user stops work whose callers were promised values and have no way to hear of an error:
// features that are computed on demand. Nobody can go on without these values, so no code between there and
// unless_stopped catches it; what that code was about to keep is not kept.
class StoppedWithin final : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped by the user"; }
};

// The result of `work`, a Result. Errors: its own; kStopped where it was left by StoppedWithin.
template <class Work>
std::invoke_result_t<const Work&> unless_stopped(const Work& work) {
  try {
    return work();
  } catch (const StoppedWithin&) {
    return stopped_by_user();
  }
}

}  // namespace mash
