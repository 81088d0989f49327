// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "framework/base/progress.hpp"

namespace mash::testing {

// Remembers what it is told. total, done: of the last task.
class HeardProgress final : public Progress {
 public:
  void start(std::string task, std::size_t steps, std::string) override {
    tasks.push_back(std::move(task));
    total = steps;
    done = 0;
  }
  void advance(std::size_t steps) override {
    const std::lock_guard lock(mutex_);
    done += steps;
  }
  void note(std::string text) override { notes.push_back(std::move(text)); }
  void finish() override { ++num_finished; }

  std::vector<std::string> tasks, notes;
  std::size_t total = 0, done = 0, num_finished = 0;

 private:
  std::mutex mutex_;
};

}  // namespace mash::testing
