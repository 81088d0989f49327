// SPDX-License-Identifier: Apache-2.0
#include "framework/base/part_of_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mash {

void PartOfProgress::start(std::string, std::size_t total, std::string) {
  const std::lock_guard lock(mutex_);
  total_ = std::max<std::size_t>(total, 1);
  done_ = 0;
}

void PartOfProgress::advance(std::size_t steps) {
  const std::lock_guard lock(mutex_);
  done_ = std::min(done_ + steps, total_);
  move_to(std::size_t(double(steps_) * double(done_) / double(total_)));
}

void PartOfProgress::finish() {
  const std::lock_guard lock(mutex_);
  move_to(steps_);
}

void PartOfProgress::move_to(std::size_t told) {
  if (told <= told_) return;
  whole_.advance(told - told_);
  told_ = told;
}

std::string rough_duration(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 0.95 * kMinute) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  if (seconds < 0.95 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  return fmt::format("{:.1f} h", seconds / kHour);
}

}  // namespace mash
