// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "framework/base/child_process.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"

namespace mash {

// Where a worker writes its answer, a line at a time.
inline constexpr int kWorkerDescriptor = 3;
// Begins the line in which a worker says how it crashes.
inline constexpr char kCrashMark = '!';

// How many times its time limit a worker may wait for a processor beside it.
inline constexpr int kMostWaits = 60;

// The file of the program mash-worker: in the first of `folders` that has it. Errors (kFailure): none has.
Result<std::filesystem::path> find_worker_program(std::span<const std::filesystem::path> folders);
// Where it is looked for: beside `program` (as in a build's folder bin), then in <prefix>/libexec/mash for
// <prefix>/bin/PROGRAM.
std::vector<std::filesystem::path> worker_folders(const std::filesystem::path& program);

// What a worker may use up unless its task says otherwise.
ProcessLimits worker_limits();

// The program mash-worker, which runs a plugin's code for this one. Another program and not a fork of this
// one: a forked child would have the addresses, the locale and the heap of its parent, which is what some
// checks must vary, and its locks.
//
//   1. start runs it on one request.
//   2. next_line gives its answer line by line; after kTimeout it is still there.
//   3. After kEnd: how_it_ended, crash.
//   4. The destructor kills it and all that it has started.
class WorkerProcess {
 public:
  // request: its only argument. variables: "NAME=VALUE" to set in its environment, $TMPDIR among them: what
  // is left there is the caller's to remove. Errors (kFailure): there is no worker program, or no process.
  static Result<WorkerProcess> start(const std::string& request, const std::vector<std::string>& variables,
                                     const ProcessLimits& limits);
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&&) = delete;
  ~WorkerProcess();

  enum class Event { kLine, kEnd, kTimeout, kStopped };
  // Waits for a line of its answer, without its end, until the flag is raised; at most `time_limit_s`, in
  // which the waits of the worker's first thread for a processor are not counted, up to kMostWaits limits:
  // other programs may take every processor, but what the worker itself starts shall not buy it time. A line
  // about a crash is none: crash() has it.
  Event next_line(std::string& line, double time_limit_s, const StopFlag& stop);
  // In words; "" for a good end.
  std::string how_it_ended();
  // What the worker said of a crash of its own (a line that begins with kCrashMark); "" without one.
  const std::string& crash() const { return crash_; }

 private:
  using Clock = std::chrono::steady_clock;

  WorkerProcess(ChildProcess process, int descriptor)
      : process_(std::move(process)), descriptor_(descriptor) {}
  // Whether a whole line has come; it is cut off `unread_`.
  bool take_line(std::string& line);

  ChildProcess process_;
  int descriptor_;  // the end of a pipe from the worker
  std::string unread_;
  std::string crash_;
};

}  // namespace mash
