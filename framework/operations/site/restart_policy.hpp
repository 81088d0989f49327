// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

namespace mash {

// How long to wait until a program that ended is begun again: twice as long each time that it ended right
// after its start, and as at first after it has run for a while. One that never ran for a while, and ended by
// itself kMaxFirstEnds times, is given up.
class RestartPolicy {
 public:
  static constexpr double kQuickSeconds = 5;  // an end within these is right after the start
  static constexpr double kLeastWait = 0.2, kMostWait = 30;
  static constexpr int kMaxFirstEnds = 5;

  // Tells that it ended after ran_seconds. was_killed: by another process. Returns the seconds to wait;
  // nothing: it is given up.
  std::optional<double> wait_after(double ran_seconds, bool was_killed = false) {
    if (!was_killed) ++num_ends_;
    if (ran_seconds >= kQuickSeconds) {
      has_run_ = true;
      next_wait_ = kLeastWait;
    }
    if (!has_run_ && num_ends_ >= kMaxFirstEnds) return std::nullopt;
    const double wait = next_wait_;
    next_wait_ = std::min(kMostWait, 2 * next_wait_);
    return wait;
  }

 private:
  int num_ends_ = 0;
  bool has_run_ = false;
  double next_wait_ = kLeastWait;
};

}  // namespace mash
