// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "framework/base/progress.hpp"

namespace mash {

// The unit of a task whose steps are shares of its work, which nobody counts.
inline constexpr std::string_view kShares = "%";

// A task that is a part of a longer one: it moves the bar of the whole by its share, in any unit that it
// counts itself.
class PartOfProgress final : public Progress {
 public:
  // steps: of the whole. `whole` has been started, and outlives this.
  PartOfProgress(Progress& whole, std::size_t steps) : whole_(whole), steps_(steps) {}

  void start(std::string task, std::size_t total, std::string unit) override;
  void advance(std::size_t steps) override;
  void note(std::string text) override { whole_.note(std::move(text)); }
  // The rest of its share.
  void finish() override;

 private:
  void move_to(std::size_t told);

  Progress& whole_;
  std::size_t steps_;
  std::mutex mutex_;
  std::size_t total_ = 1, done_ = 0, told_ = 0;
};

// "45 s", "3 min", "2.5 h": as people say it beforehand.
std::string rough_duration(double seconds);

}  // namespace mash
