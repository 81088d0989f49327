// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <thread>

#include "framework/base/progress.hpp"

namespace mash::testing {

// Whether that holds within `seconds`; asked again and again.
template <class Holds>
bool comes(const Holds& holds, double seconds = 60) {
  for (const Stopwatch watch; watch.seconds() < seconds;) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

}  // namespace mash::testing
