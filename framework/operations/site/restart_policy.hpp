// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

namespace mash {

// A rule for the wait before a program that ended is started again. The wait doubles each time that the
// program ends right after its start, and is the first one again once it has run for a while. A program that
// never ran for a while and ended by itself kMaxFirstEnds times is given up.
class RestartPolicy {
 public:
  static constexpr double kQuickSeconds = 5;  // an end within this time is right after the start
  static constexpr double kLeastWait = 0.2, kMostWait = 30;
  static constexpr int kMaxFirstEnds = 5;

  // Notes that the program ended after ran_seconds. was_killed: by another process. Returns the seconds to
  // wait; nothing: the program is given up.
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
