// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace mash {

// Long work tells a Progress how far it is; what becomes of it (a bar, nothing) is the caller's choice.
class Progress {
 public:
  virtual ~Progress() = default;
  // Starts a task of `total` steps; `unit` names a step ("images"). Ends the one before.
  virtual void start(std::string task, std::size_t total, std::string unit) = 0;
  // [any thread] `steps` more are done.
  virtual void advance(std::size_t steps) = 0;
  // A few words beside the bar, such as the current error.
  virtual void note(std::string text) = 0;
  virtual void finish() = 0;
};

// One that shows nothing; the first is shared by all.
Progress& no_progress();
std::unique_ptr<Progress> silent_progress();

// Whether somebody wants the work to stop; long work looks at it between steps, keeps what is done and
// returns.
class StopFlag {
 public:
  bool raised() const { return raised_.load(std::memory_order_relaxed); }
  void raise() { raised_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> raised_{false};
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Adds the seconds for which it lives to a number that outlives it.
class SecondsScope {
 public:
  explicit SecondsScope(double& seconds) : seconds_(seconds) {}
  SecondsScope(const SecondsScope&) = delete;
  SecondsScope& operator=(const SecondsScope&) = delete;
  ~SecondsScope() { seconds_ += watch_.seconds(); }

 private:
  double& seconds_;
  Stopwatch watch_;
};

}  // namespace mash
