// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// The words after the program's name that make it a worker; the request follows as JSON.
inline constexpr const char* kWorkerWords[] = {"heuristic", "check-worker"};
// Where a worker writes its answer, a line at a time.
inline constexpr int kWorkerDescriptor = 3;
// Begins the line in which a worker says what it crashes of.
inline constexpr char kCrashMark = '!';

// How many times its time limit a worker may wait for a processor beside it.
inline constexpr int kMostWaits = 60;

// What a worker may use up.
struct WorkerLimits {
  double cpu_seconds = 600;
  std::uint64_t file_bytes = std::uint64_t(1) << 30;
  std::uint64_t address_bytes = std::uint64_t(4) << 30;
};

// This program once more, to run a plugin's code for it. Started anew and not forked: a forked child would
// have the addresses, the locale and the heap of its parent, which is what some checks must vary, and its
// locks.
class WorkerProcess {
 public:
  // variables: "NAME=VALUE" to set in its environment, $TMPDIR among them: what is left there is the caller's
  // to remove. Errors (kFailure): no process can be made.
  static Result<WorkerProcess> start(const nlohmann::json& request, const std::vector<std::string>& variables,
                                     const WorkerLimits& limits);
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&&) = delete;
  // Kills it and all that it has started.
  ~WorkerProcess();

  enum class Event { kLine, kEnd, kTimeout };
  // Waits for a line of its answer, without its end; at most `time_limit_s`, in which the waits of the
  // worker's first thread for a processor are not counted, up to kMostWaits limits: other programs may take
  // every processor, but what the worker itself starts shall not buy it time. A line about a crash is none:
  // crash() has it.
  Event next_line(std::string& line, double time_limit_s);
  // After kEnd: how it ended, in words; "" for a good end.
  std::string how_it_ended();
  // What the worker said of a crash of its own (a line that begins with kCrashMark); "" without one.
  const std::string& crash() const { return crash_; }

 private:
  using Clock = std::chrono::steady_clock;

  WorkerProcess(pid_t pid, int descriptor) : pid_(pid), descriptor_(descriptor) {}
  Clock::duration waited_for_processor() const;  // since its start, its first thread
  bool has_ended() const;
  int kill_and_reap();  // its wait status

  pid_t pid_;
  int descriptor_;
  std::string unread_;
  std::string crash_;
};

}  // namespace mash
