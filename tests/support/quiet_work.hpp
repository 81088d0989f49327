// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/work_context.hpp"

namespace mash::testing {

// Work on two threads that nobody hears of. stop: outlives it.
inline WorkContext quiet_work(const StopFlag& stop) {
  static const Workers workers(2);
  return {workers, no_progress(), no_remarks(), stop};
}

// The same that nobody stops; shared by all.
inline const WorkContext& quiet_work() {
  static const StopFlag never;
  static const WorkContext work = quiet_work(never);
  return work;
}

}  // namespace mash::testing
